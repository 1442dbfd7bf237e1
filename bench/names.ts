/** All benchmarks by name; loaded when they are run. */
export const BENCHMARKS = {
  agreement: () => import('./agreement.ts'),
  desktop: () => import('./desktop.ts'),
  history: () => import('./history.ts'),
  index: () => import('./indexing.ts'),
  server: () => import('./serving.ts'),
  phone: () => import('./phone.ts'),
  pdf: () => import('./pdf.ts'),
  search: () => import('./searching.ts'),
  viewer: () => import('./viewer.ts'),
  web: () => import('./web.ts'),
  workspace: () => import('./workspace.ts'),
  watch: () => import('./watch.ts'),
};
