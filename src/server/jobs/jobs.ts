import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../database/connection.ts';

/** Kinds of work that is done beside the requests, with what each is told. */
export interface JobPayloads {
  /** Sends one mail of the table `mails`. */
  mail: { readonly id: string; readonly to: string; readonly subject: string; readonly text: string };
  /** Collects contents that belong to nothing, abandoned uploads, the trash past its time, and rows past theirs. */
  collect: Record<string, never>;
  /** One mail a day to everybody who asked for it. */
  digest: Record<string, never>;
  /** Calls the webhook of a share link. */
  webhook: { readonly url: string; readonly body: string };
}
export type JobKind = keyof JobPayloads;

export interface JobOptions {
  /** Milliseconds since the epoch; by default now. */
  readonly runAt?: number;
  /** Of several jobs with one key only the first waits: the others are dropped. */
  readonly dedupeKey?: string;
}

type Handler<K extends JobKind> = (payload: JobPayloads[K], signal: AbortSignal) => Promise<void>;

/**
 * Work that survives a restart. A job is stored in the transaction of what it belongs to, so it is there exactly if that
 * happened; it is claimed for a time, so that of several servers one alone does it; and it is tried again later when it fails.
 */
export interface Jobs {
  add<K extends JobKind>(on: Database, kind: K, payload: JobPayloads[K], options?: JobOptions): Promise<void>;
  /** Names who does a kind of job. */
  handle<K extends JobKind>(kind: K, handler: Handler<K>): void;
  /** A job that is due again each `everyMs`; the first one soon after the start. */
  every(kind: 'collect' | 'digest', everyMs: number): void;
  start(): void;
  /** Resolves when no job that is due is left. */
  idle(): Promise<void>;
  /** Lets the job under way end, for a short time, and takes no more. */
  stop(): Promise<void>;
}

/** A job that holds its claim longer is taken for lost with its server. */
const CLAIM_MS = 5 * 60_000;
const POLL_MS = 5_000;
const MAX_ATTEMPTS = 12;
const MAX_PAUSE_MS = 3600_000;

/** Makes the queue. */
export function createJobs(options: {
  readonly database: Database;
  readonly log: Logger;
  readonly now: () => number;
}): Jobs {
  const { database, log, now } = options;
  const handlers = new Map<JobKind, Handler<JobKind>>();
  const recurring = new Map<JobKind, number>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;

  async function insert(
    on: Database,
    kind: JobKind,
    payload: unknown,
    { runAt, dedupeKey }: JobOptions,
  ): Promise<void> {
    await on
      .insertInto('jobs')
      .values({
        id: randomUUID(),
        kind,
        dedupe_key: dedupeKey ?? null,
        payload: JSON.stringify(payload),
        run_at_ms: runAt ?? now(),
        created_ms: now(),
      })
      .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
      .execute();
  }

  /** Takes the job that has waited longest, for this server alone. */
  async function claim() {
    const kinds = [...handlers.keys()];
    for (;;) {
      const due = await database
        .selectFrom('jobs')
        .selectAll()
        .where('run_at_ms', '<=', now())
        .where('locked_until_ms', '<=', now())
        .where('kind', 'in', kinds)
        .orderBy('run_at_ms')
        .limit(1)
        .executeTakeFirst();
      if (due === undefined) return null;
      const claimed = await database
        .updateTable('jobs')
        .set({ locked_until_ms: now() + CLAIM_MS, attempts: due.attempts + 1 })
        .where('id', '=', due.id)
        .where('locked_until_ms', '=', due.locked_until_ms)
        .executeTakeFirst();
      if (claimed.numUpdatedRows === 1n) return { ...due, attempts: due.attempts + 1 };
    }
  }

  async function run(job: NonNullable<Awaited<ReturnType<typeof claim>>>): Promise<void> {
    const kind = job.kind as JobKind;
    try {
      await handlers.get(kind)?.(JSON.parse(job.payload) as never, stopping.signal);
      const again = recurring.get(kind);
      if (again === undefined) await database.deleteFrom('jobs').where('id', '=', job.id).execute();
      else {
        const next = { run_at_ms: now() + again, locked_until_ms: 0, attempts: 0, last_error: null };
        await database.updateTable('jobs').set(next).where('id', '=', job.id).execute();
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      log.error({ job: kind, attempt: job.attempts, err: error }, 'a job failed');
      const isLast = job.attempts >= MAX_ATTEMPTS && !recurring.has(kind);
      if (isLast) await database.deleteFrom('jobs').where('id', '=', job.id).execute();
      else {
        const pause = Math.min(MAX_PAUSE_MS, 1000 * 2 ** job.attempts);
        const later = { run_at_ms: now() + pause, locked_until_ms: 0, last_error: message };
        await database.updateTable('jobs').set(later).where('id', '=', job.id).execute();
      }
    }
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const job = await claim();
      if (job === null) return;
      await run(job);
    }
  }

  function wake(): Promise<void> {
    running ??= work()
      .catch((error: unknown) => log.error({ err: error }, 'the job queue could not be read'))
      .finally(() => {
        running = null;
      });
    return running;
  }

  return {
    async add(on, kind, payload, jobOptions = {}) {
      await insert(on, kind, payload, jobOptions);
      // The caller's transaction has to be over before the job can be seen; the next look finds it in any case.
      if (timer !== null) setImmediate(() => void wake());
    },
    handle(kind, handler) {
      handlers.set(kind, handler as Handler<JobKind>);
    },
    every(kind, everyMs) {
      recurring.set(kind, everyMs);
    },
    start() {
      const begin = async () => {
        for (const kind of recurring.keys()) await insert(database, kind, {}, { dedupeKey: `every ${kind}` });
      };
      void begin()
        .catch((error: unknown) => log.error({ err: error }, 'recurring jobs could not be planned'))
        .then(wake);
      timer = setInterval(() => void wake(), POLL_MS);
      timer.unref();
    },
    async idle() {
      for (;;) {
        await wake();
        const due = await database
          .selectFrom('jobs')
          .select('id')
          .where('run_at_ms', '<=', now())
          .where('locked_until_ms', '<=', now())
          .where('kind', 'in', [...handlers.keys()])
          .limit(1)
          .executeTakeFirst();
        if (due === undefined && running === null) return;
      }
    },
    async stop() {
      if (timer !== null) clearInterval(timer);
      timer = null;
      stopping.abort();
      await running;
    },
  };
}
