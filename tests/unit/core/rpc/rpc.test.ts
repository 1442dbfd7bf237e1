import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { createPeer, type Methods, type Port } from '../../../../src/core/rpc/rpc.ts';
import { AppError } from '../../../../src/shared/errors.ts';

const open: MessagePort[] = [];
afterEach(() => {
  for (const port of open.splice(0)) port.close();
});

const portOf = (port: MessagePort): Port => ({
  post: (message) => port.postMessage(message),
  listen: (listener) => port.on('message', listener),
});

const unexpected: unknown[] = [];
type Served = {
  readonly double: (input: number) => Promise<number>;
  readonly refuse: (input: null) => Promise<never>;
  readonly crash: (input: null) => Promise<never>;
  readonly wait: (input: null, signal: AbortSignal) => Promise<string>;
};
function pair() {
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  const served: Served = {
    double: async (input) => input * 2,
    refuse: async () => {
      throw new AppError('name-taken', 'taken', { details: { name: 'x' } });
    },
    crash: async () => {
      throw new TypeError('secret of the other side');
    },
    wait: (_input, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new AppError('cancelled', 'given up')));
      }),
  };
  const server = createPeer<Served, Methods, { ticked: number }>(portOf(port2), served, {
    onUnexpected: (_method, error) => unexpected.push(error),
  });
  const client = createPeer<Record<never, never>, Served, Record<never, never>, { ticked: number }>(
    portOf(port1),
    {},
    {
      onUnexpected: (_method, error) => unexpected.push(error),
    },
  );
  return { server, client };
}

describe('calls between our processes', () => {
  it('bring the answer, each to its own call', async () => {
    const { client } = pair();
    expect(await Promise.all([1, 2, 3].map((value) => client.call('double', value)))).toEqual([2, 4, 6]);
  });
  it('bring an error with its code and details', async () => {
    const { client } = pair();
    await expect(client.call('refuse', null)).rejects.toMatchObject({ code: 'name-taken', details: { name: 'x' } });
  });
  it('hide what was not thrown on purpose, and report it where it happened', async () => {
    const { client } = pair();
    await expect(client.call('crash', null)).rejects.toMatchObject({ code: 'internal', message: 'crash failed' });
    expect(unexpected.at(-1)).toBeInstanceOf(TypeError);
  });
  it('can be given up', async () => {
    const { client } = pair();
    const controller = new AbortController();
    const call = client.call('wait', null, controller.signal);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  });
  it('settle when the other side is gone, and so does every later one', async () => {
    const { client } = pair();
    const call = client.call('wait', null);
    client.close(new AppError('index-unavailable', 'gone'));
    await expect(call).rejects.toMatchObject({ code: 'index-unavailable' });
    await expect(client.call('double', 1)).rejects.toMatchObject({ code: 'index-unavailable' });
  });
  it('carry events', async () => {
    const { client, server } = pair();
    const heard = new Promise((resolve) => client.on('ticked', resolve));
    server.emit('ticked', 7);
    expect(await heard).toBe(7);
  });
});
