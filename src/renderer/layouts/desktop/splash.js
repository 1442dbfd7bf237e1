/*
 * The splash of the desktop (desktop-shell.md §2): one of seven friendly messages for a second, from the first frame on,
 * while the application loads and starts beneath it. A script of its own, because it stands before any module is there.
 */
(() => {
  const script = document.currentScript;
  if (script === null) return;
  const language = localStorage.getItem('interface.language') ?? navigator.language;
  const { de = '', en = '', milliseconds } = script.dataset;
  const [label = '', ...messages] = (language.toLowerCase().startsWith('de') ? de : en).split('|');

  const splash = document.createElement('div');
  splash.className = 'splash';
  splash.id = 'splash';
  splash.role = 'status';
  splash.ariaLabel = label;
  const logo = document.createElement('img');
  logo.className = 'logo logo--large';
  logo.src = document.querySelector('link[rel=icon]').href;
  logo.alt = '';
  const message = document.createElement('p');
  message.className = 'splash__message serif';
  message.textContent = messages[Math.floor(Math.random() * messages.length)];
  splash.append(logo, message);
  script.before(splash);

  let shownAt = performance.now();
  requestAnimationFrame(() => {
    shownAt = performance.now();
  });
  const isStarted = () => document.getElementById('root').hasChildNodes();
  const end = () => {
    const left = shownAt + Number(milliseconds) - performance.now();
    if (left > 0) setTimeout(end, left);
    else if (isStarted()) leave();
    else new MutationObserver(leave).observe(document.getElementById('root'), { childList: true });
  };
  const leave = () => {
    if (!splash.isConnected) return;
    splash.remove();
    dispatchEvent(new Event('splash-over'));
  };
  setTimeout(end, Number(milliseconds));
})();
