/** What was done so long ago says nothing about the speed at present. */
const WINDOW_MS = 20_000;
/** A speed that was measured over less is chance. */
const LEAST_MS = 1000;

/** How fast work goes lately, in whatever unit the caller counts. */
export interface Rate {
  /** Work begins, perhaps after a rest, which does not count. */
  begin(): void;
  did(work: number): void;
  /** How long so much work will take; null while that cannot be told. */
  secondsFor(work: number): number | null;
}

/** Makes a rate that knows of no work yet. */
export function createRate(): Rate {
  let beganMs = performance.now();
  let steps: { readonly atMs: number; readonly work: number }[] = [];
  return {
    begin() {
      beganMs = performance.now();
      steps = [];
    },
    did(work) {
      steps.push({ atMs: performance.now(), work });
    },
    secondsFor(work) {
      const now = performance.now();
      steps = steps.filter(({ atMs }) => atMs > now - WINDOW_MS);
      const spanMs = Math.min(now - beganMs, WINDOW_MS);
      const done = steps.reduce((sum, step) => sum + step.work, 0);
      return spanMs < LEAST_MS || done === 0 ? null : Math.ceil((work / done) * (spanMs / 1000));
    },
  };
}
