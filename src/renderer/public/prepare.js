/*
 * Runs before the application's modules, as a script of its own, because the order in which bundled modules run is the
 * bundler's. The validators must know before the first schema is made that the content policy allows no code made of
 * text, and the chosen theme must stand before anything is drawn (ui/theme.ts keeps it under this key).
 */
(() => {
  globalThis.__zod_globalConfig = { jitless: true };
  const theme = localStorage.getItem('interface.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
})();
