/** How hard the index works: as fast as it can, or so that others hardly notice. */
export type PaceName = 'full' | 'gentle';

/** At the gentle pace every piece of work is followed by a rest of so many times its length. */
const GENTLE_REST = 3;
/** A rest never takes longer, whatever came before it. */
const LONGEST_REST_MS = 2000;

/** What everybody who works in the background asks before going on: whether it may, and how long to rest first. */
export interface Pace {
  pause(): void;
  resume(): void;
  set(name: PaceName): void;
  isPaused(): boolean;
  isGentle(): boolean;
  /** Ends when the present stretch of work is paused: what can stop in the middle stops then. */
  signal(): AbortSignal;
  /** Resolves at once, or when a pause is over. */
  turn(): Promise<void>;
  /** Rests after work that took so long, which is nothing at full pace; then waits for its turn. */
  rest(workedMs: number): Promise<void>;
  /** Told when work may go on, or at another pace. */
  onChange(listener: () => void): void;
  /** Lets everybody go who waits: the index is closed. */
  close(): void;
}

/** Makes the pace of an index: full, and not paused. */
export function createPace(): Pace {
  const listeners: (() => void)[] = [];
  const sleepers = new Set<() => void>();
  let controller = new AbortController();
  let name: PaceName = 'full';
  let paused = false;
  let closed = false;

  function wake(): void {
    for (const waken of [...sleepers]) waken();
  }

  /** Sleeps until something changes, or for so long. */
  function sleep(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      const waken = () => {
        clearTimeout(timer);
        sleepers.delete(waken);
        resolve();
      };
      const timer = ms === null ? undefined : setTimeout(waken, ms);
      sleepers.add(waken);
    });
  }

  function changed(): void {
    wake();
    for (const listener of listeners) listener();
  }

  async function turn(): Promise<void> {
    while (paused && !closed) await sleep(null);
  }

  return {
    pause() {
      if (paused) return;
      paused = true;
      controller.abort();
      changed();
    },
    resume() {
      if (!paused) return;
      paused = false;
      controller = new AbortController();
      changed();
    },
    set(next) {
      if (name === next) return;
      name = next;
      changed();
    },
    isPaused: () => paused,
    isGentle: () => name === 'gentle',
    signal: () => controller.signal,
    turn,
    async rest(workedMs) {
      if (name === 'gentle' && !paused && !closed) await sleep(Math.min(workedMs * GENTLE_REST, LONGEST_REST_MS));
      await turn();
    },
    onChange(listener) {
      listeners.push(listener);
    },
    close() {
      closed = true;
      controller.abort();
      wake();
    },
  };
}
