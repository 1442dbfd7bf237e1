import { browserTracingIntegration, close, type Event, getClient, init, replayIntegration } from '@sentry/browser';
import { INSIGHT_SAMPLES, type InsightServices } from '../../../shared/model/insight.ts';
import { withoutQueriesIn } from './addresses.ts';
import type { Sink } from './sink.ts';

/** What an event says of addresses, without their queries. */
function cleaned<E extends Event>(event: E): E {
  const { request, breadcrumbs, spans, contexts, exception, transaction, message } = event;
  return { ...event, ...withoutQueriesIn({ request, breadcrumbs, spans, contexts, exception, transaction, message }) };
}

/** Starts Sentry: errors, and samples of traces and of sessions, whose texts are masked and which leave out the viewer. */
export function startSentry({ dsn }: NonNullable<InsightServices['sentry']>): Sink {
  const replay = replayIntegration({
    maskAllText: true,
    maskAllInputs: true,
    blockAllMedia: true,
    block: ['.viewer'],
    beforeAddRecordingEvent: withoutQueriesIn,
  });
  init({
    dsn,
    sendDefaultPii: false,
    tracesSampleRate: INSIGHT_SAMPLES.tracing,
    replaysSessionSampleRate: INSIGHT_SAMPLES.replay,
    replaysOnErrorSampleRate: INSIGHT_SAMPLES.replayOnError,
    integrations: [browserTracingIntegration(), replay],
    beforeSend: cleaned,
    beforeSendTransaction: cleaned,
  });
  return {
    view: () => undefined,
    leave: () => undefined,
    stop() {
      const client = getClient();
      if (client !== undefined) client.getOptions().enabled = false;
      // What is under way is let go: it was allowed when it happened, and is not any more.
      void replay.stop();
      void close(0);
    },
  };
}
