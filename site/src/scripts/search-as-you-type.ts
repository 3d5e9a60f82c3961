const WAIT = 160;

/**
 * Shows what a search finds while it is typed: the page is fetched as the form would load it, and the part that differs
 * is taken over. The field stays as it is, so focus and cursor do too.
 */
function searchAsYouType(form: HTMLFormElement): void {
  const status = form.querySelector('[role=status]');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;
  const show = async (): Promise<void> => {
    running?.abort();
    running = new AbortController();
    const address = addressOf(form);
    try {
      const answer = await fetch(address, { signal: running.signal, headers: { Accept: 'text/html' } });
      // A session that ended, a catalog that is gone: the page itself says so.
      if (!answer.ok || answer.redirected) return location.assign(address);
      takeOver(new DOMParser().parseFromString(await answer.text(), 'text/html'), status);
      history.replaceState(null, '', address);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError') && status)
        status.textContent = 'The search did not answer. Press Enter to load the page again.';
    }
  };
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(show, WAIT);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(timer);
    void show();
  });
}

function addressOf(form: HTMLFormElement): string {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value.trim() !== '') query.set(name, value.trim());
  const text = query.toString();
  return `${new URL(form.action).pathname}${text === '' ? '' : `?${text}`}`;
}

function takeOver(next: Document, status: Element | null): void {
  const opened = [...document.querySelectorAll('#found details[open]')].map(({ id }) => id);
  const found = next.querySelector('#found');
  if (!found) return;
  document.querySelector('#found')?.replaceWith(document.adoptNode(found));
  for (const id of opened) document.getElementById(id)?.setAttribute('open', '');
  document.title = next.title;
  if (status) status.textContent = document.querySelector('#total')?.textContent ?? '';
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-as-you-type]'))
  searchAsYouType(form);
