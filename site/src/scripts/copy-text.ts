const SHOWN_FOR = 2000;

/** Gives each `.copyable` a button that copies its text. */
function addButton(block: Element): void {
  const text = block.querySelector('pre');
  if (!text) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy-button';
  const status = document.createElement('span');
  status.setAttribute('role', 'status');
  status.textContent = 'Copy';
  const what = document.createElement('span');
  what.className = 'hidden-text';
  what.textContent = ` ${block.getAttribute('data-what') ?? 'this text'}`;
  button.append(status, what);
  button.addEventListener('click', async () => {
    status.textContent = await copyText(text);
    setTimeout(() => {
      status.textContent = 'Copy';
    }, SHOWN_FOR);
  });
  block.append(button);
}

/** @returns what to tell: without access to the clipboard the text is selected instead */
async function copyText(from: Element): Promise<string> {
  try {
    await navigator.clipboard.writeText(from.textContent ?? '');
    return 'Copied';
  } catch {
    getSelection()?.selectAllChildren(from);
    return 'Press Ctrl+C';
  }
}

for (const block of document.querySelectorAll('.copyable')) addButton(block);
