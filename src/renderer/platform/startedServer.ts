import type { ServerState } from '../../shared/bridge/index.ts';
import type { ServerCapability } from './types.ts';

/** A server that takes longer to start is waited for on a screen that says so. */
const PATIENCE_MS = 3000;

/** The state of the server, once one that is starting has started or failed; after a while, that it is starting. */
export async function startedServer(server: Pick<ServerCapability, 'state' | 'onChanged'>): Promise<ServerState> {
  const { promise, resolve } = Promise.withResolvers<ServerState>();
  const stop = server.onChanged((state) => {
    if (state.status !== 'starting') resolve(state);
  });
  const first = await server.state();
  if (first.status !== 'starting') resolve(first);
  const timer = setTimeout(() => resolve(first), PATIENCE_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stop();
  }
}
