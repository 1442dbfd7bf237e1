const WINDOW_MS = 15 * 60_000;
/** Guesses that are evaluated in a window: for one account, and from one address over all accounts. */
const PER_ACCOUNT = 10;
const PER_ADDRESS = 100;

/** Counts guesses, so that passwords cannot be tried out. A right password clears its account's count. */
export interface Throttle {
  /** Milliseconds until another guess is evaluated; 0 when one may be now. A guess that may be is counted. */
  waitFor(account: string, address: string): number;
  succeeded(account: string): void;
}

/** Makes the throttle. It lives with the process: a restart forgives. */
export function createThrottle(now: () => number): Throttle {
  const guesses = new Map<string, number[]>();

  function recent(key: string): number[] {
    const since = now() - WINDOW_MS;
    return (guesses.get(key) ?? []).filter((at) => at > since);
  }

  function sweep(): void {
    for (const key of guesses.keys()) if (recent(key).length === 0) guesses.delete(key);
  }

  return {
    waitFor(account, address) {
      if (guesses.size > 10_000) sweep();
      const byAccount = recent(`account ${account}`);
      const byAddress = recent(`address ${address}`);
      const oldest = (list: readonly number[], limit: number) =>
        list.length < limit ? 0 : (list[0] ?? now()) + WINDOW_MS - now();
      const wait = Math.max(oldest(byAccount, PER_ACCOUNT), oldest(byAddress, PER_ADDRESS));
      if (wait > 0) return wait;
      guesses.set(`account ${account}`, [...byAccount, now()]);
      guesses.set(`address ${address}`, [...byAddress, now()]);
      return 0;
    },
    succeeded(account) {
      guesses.delete(`account ${account}`);
    },
  };
}
