/**
 * Fills the list of registries on `/`. The addresses come from `GET /registry` with the rights of the visitor, so the
 * page itself holds nothing that is not public; a token that is typed in lives in memory only.
 */
export const LANDING_SCRIPT = `'use strict';
const section = document.querySelector('#registries');
const list = section.querySelector('ul');
const status = section.querySelector('[role=status]');
const form = section.querySelector('form');

function makeElement(name, text, className) {
  const element = document.createElement(name);
  element.textContent = text;
  if (className) element.className = className;
  return element;
}

function makeCopyButton(text, label) {
  const button = makeElement('button', 'Copy');
  button.type = 'button';
  button.setAttribute('aria-label', 'Copy ' + label);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      window.getSelection().selectAllChildren(button.previousElementSibling);
      button.textContent = 'Press Ctrl+C';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  return button;
}

function makeItem({ name, description, url }) {
  const item = document.createElement('li');
  item.append(makeElement('h3', name));
  if (description) item.append(makeElement('p', description));
  const line = makeElement('div', '', 'copyable');
  line.append(makeElement('code', url), makeCopyButton(url, 'the base URL of ' + name));
  item.append(line);
  return item;
}

async function listRegistries(token) {
  status.textContent = 'Looking up the registries…';
  const headers = token ? { Authorization: 'Bearer ' + token } : {};
  try {
    const answer = await fetch(section.dataset.from, { headers, cache: 'no-store' });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.detail || 'The service answered ' + answer.status + '.');
    list.replaceChildren(...body.registries.map(makeItem));
    const count = body.registries.length;
    status.textContent = count === 0 ? 'There is no registry you can reach.' : '';
    if (form) form.hidden = true;
  } catch (error) {
    status.textContent = 'The registries could not be listed. ' + error.message;
  }
}

if (form) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const field = form.querySelector('input');
    const token = field.value.trim();
    field.value = '';
    if (token) listRegistries(token);
  });
} else listRegistries();
`;
