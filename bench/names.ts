/** All benchmarks by name; loaded when they are run. */
export const BENCHMARKS = {
  index: () => import('./indexing.ts'),
  search: () => import('./searching.ts'),
};
