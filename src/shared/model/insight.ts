import { z } from 'zod';

/** Services of others that count and that hear of errors, each null without a key of it (decisions.md §11). */
export const InsightServices = z.object({
  posthog: z.object({ key: z.string(), host: z.url() }).nullable(),
  sentry: z.object({ dsn: z.url() }).nullable(),
});
export type InsightServices = z.infer<typeof InsightServices>;

/** How much the error reporting takes in, as shares of all (web-and-phone.md §9). */
export const INSIGHT_SAMPLES = { tracing: 0.2, replay: 0.1, replayOnError: 1 } as const;
