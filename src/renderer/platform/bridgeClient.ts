import type { BridgeClient, BridgePort } from '../../shared/bridge/contract.ts';
import { type Bridge, bridge } from '../../shared/bridge/index.ts';
import { AppError, fromWireError, type Outcome } from '../../shared/errors.ts';

function isOutcome(answer: unknown): answer is Outcome<unknown> {
  return typeof answer === 'object' && answer !== null && 'ok' in answer && typeof answer.ok === 'boolean';
}

function caller(port: BridgePort, channel: string): (input?: unknown) => Promise<unknown> {
  return async (input) => {
    const answer = await port.invoke(channel, input);
    if (!isOutcome(answer)) throw new AppError('internal', `${channel} answered no outcome`);
    if (!answer.ok) throw fromWireError(answer.error);
    return answer.value;
  };
}

/** The contract's functions and subscriptions over the port that the preload exposes; failures come back as AppError. */
export function createBridgeClient(port: BridgePort): BridgeClient<Bridge> {
  const client: Record<string, Record<string, unknown>> = {};
  for (const [namespace, entries] of Object.entries(bridge)) {
    const functions: Record<string, unknown> = {};
    for (const [name, entry] of Object.entries(entries)) {
      const channel = `${namespace}.${name}`;
      if (entry.kind === 'event') {
        functions[`on${name.charAt(0).toUpperCase()}${name.slice(1)}`] = (listener: (payload: unknown) => void) =>
          port.on(channel, listener);
      } else {
        functions[name] = caller(port, channel);
      }
    }
    client[namespace] = functions;
  }
  return client as unknown as BridgeClient<Bridge>;
}
