import type { Logger } from 'pino';
import type { Database } from '../database/connection.ts';

/** What is counted, by day and name, about nobody in particular (decisions.md §11). */
export type UsageKind = 'page-view' | 'search' | 'upload';

/** First-party figures. They are gathered and written every few seconds: that the last seconds are lost does not matter. */
export interface Usage {
  count(kind: UsageKind, name: string, by?: number): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_MS = 5_000;

/** Makes the counter. */
export function createUsage(database: Database, log: Logger, now: () => number): Usage {
  let counts = new Map<string, number>();

  async function flush(): Promise<void> {
    const written = counts;
    counts = new Map();
    for (const [key, count] of written) {
      const [day = '', kind = '', name = ''] = key.split('\n');
      await database
        .insertInto('usage_counts')
        .values({ day, kind, name, count })
        .onConflict((conflict) =>
          conflict
            .columns(['day', 'kind', 'name'])
            .doUpdateSet((eb) => ({ count: eb('usage_counts.count', '+', count) })),
        )
        .execute();
    }
  }

  /** Figures are no reason to stop for. */
  const tryFlush = () => flush().catch((error: unknown) => log.error({ err: error }, 'figures could not be written'));
  const timer = setInterval(() => void tryFlush(), FLUSH_MS);
  timer.unref();

  return {
    count(kind, name, by = 1) {
      const key = [new Date(now()).toISOString().slice(0, 10), kind, name].join('\n');
      counts.set(key, (counts.get(key) ?? 0) + by);
    },
    flush,
    async close() {
      clearInterval(timer);
      await tryFlush();
    },
  };
}
