// Loaded by the head of every page and not as a module: the colours are set before anything is painted. What the reader
// chose with the switch counts, else what the system says; without scripts the style sheets follow the system.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const show = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem('berth-theme');
    } catch {
      // No storage: the system decides.
    }
    const isDark = chosen === 'dark' || (chosen !== 'light' && system.matches);
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  };
  show();
  system.addEventListener('change', show);
  addEventListener('storage', show);
})();
