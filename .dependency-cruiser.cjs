/** The import directions of docs/architecture.md, checked by `npm run imports`. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|tests|bench)/', pathNot: allowed },
});
module.exports = {
  forbidden: [
    only('shared-is-the-bottom', '^src/shared/', '^src/shared/', 'shared imports nothing of ours but shared'),
    only('core-on-shared', '^src/core/', '^src/(shared|core)/', 'core knows neither hosts nor the network'),
    only('worker-on-core', '^src/worker/', '^src/(shared|core|worker)/'),
    only('server-on-core', '^src/server/', '^src/(shared|core|worker|server)/'),
    only('main-on-core', '^src/main/', '^src/(shared|core|worker|main)/'),
    only('cli-on-core', '^src/cli/', '^src/(shared|core|worker|server|cli)/'),
    only('preload-on-shared', '^src/preload/', '^src/(shared|preload)/'),
    only('renderer-on-shared', '^src/renderer/', '^src/(shared|renderer)/', 'the renderer never imports core'),
    {
      name: 'electron-in-main-only',
      comment: 'everything but main and preload runs, and is tested, without Electron',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(main|preload)/' },
      to: { path: '^(node_modules/)?electron($|/)' },
    },
    {
      name: 'shared-is-pure',
      comment: 'shared has no Node, no DOM and no packages but zod',
      severity: 'error',
      from: { path: '^src/shared/' },
      to: { dependencyTypes: ['core', 'npm'], pathNot: 'zod' },
    },
    {
      name: 'no-node-in-renderer',
      severity: 'error',
      from: { path: '^src/renderer/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'features-apart',
      comment: 'feature folders do not import each other; what two need moves down',
      severity: 'error',
      from: { path: '^src/renderer/features/([^/]+)/' },
      to: { path: '^src/renderer/features/', pathNot: '^src/renderer/features/$1/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
