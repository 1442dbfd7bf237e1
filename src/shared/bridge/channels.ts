/**
 * The bare channel names for the preload, which is bundled alone and must stay small: no schemas. A contract test keeps
 * them equal to the contract in `index.ts`.
 */
export const PROCEDURE_CHANNELS = [
  'app.info',
  'window.state',
  'window.minimize',
  'window.toggleMaximize',
  'window.toggleFullscreen',
  'window.zoom',
  'window.reload',
  'window.close',
  'window.quit',
  'server.state',
  'server.useLocal',
  'server.connect',
  'server.disconnect',
  'session.state',
  'session.signIn',
  'session.cancelSignIn',
  'session.signOut',
  'workspace.state',
  'workspace.chooseFolder',
  'workspace.addLocalFolder',
  'workspace.removeLocalFolder',
  'workspace.showInFolder',
  'index.status',
  'index.skipped',
  'index.retrySkipped',
  'index.pause',
  'index.resume',
  'index.rebuild',
  'search.run',
  'search.cancel',
  'search.logs',
  'search.saveLog',
  'search.clearLogs',
] as const;

export const EVENT_CHANNELS = [
  'window.changed',
  'window.menuChosen',
  'server.changed',
  'session.changed',
  'workspace.changed',
  'index.progressed',
  'search.found',
] as const;
