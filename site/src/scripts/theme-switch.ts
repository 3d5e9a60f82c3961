const STORED = 'berth-theme';

/** Goes to the other colours. What the system says anyway is not remembered, so that the page follows it again. */
function switchTheme(): void {
  const next = document.documentElement.getAttribute('data-theme') === 'dark' ? 'light' : 'dark';
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.setAttribute('data-theme', next);
  try {
    if (next === system) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, next);
  } catch {
    // No storage: the choice ends with the page.
  }
}

for (const button of document.querySelectorAll<HTMLButtonElement>('.theme-switch')) {
  button.hidden = false;
  button.addEventListener('click', switchTheme);
}
