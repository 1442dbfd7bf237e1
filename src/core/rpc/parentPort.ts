import { isMainThread, parentPort } from 'node:worker_threads';
import { AppError } from '../../shared/errors.ts';
import type { Port } from './rpc.ts';

/** Electron's utility processes have this port; their type lives in a package that core must not know. */
interface UtilityParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

/** The port to whoever started this process or thread: an Electron main process, a forking Node, or a thread's owner. */
export function openParentPort(): Port {
  // A thread of a utility process is a thread: its owner is there, whatever the process has.
  if (!isMainThread && parentPort !== null) {
    const port = parentPort;
    return { post: (message) => port.postMessage(message), listen: (listener) => port.on('message', listener) };
  }
  const utility = (process as unknown as { readonly parentPort?: UtilityParentPort }).parentPort;
  if (utility !== undefined) {
    return {
      post: (message) => utility.postMessage(message),
      listen: (listener) => utility.on('message', (event) => listener(event.data)),
    };
  }
  const send = process.send?.bind(process);
  if (send === undefined) throw new AppError('internal', 'this program is started by Armarium, not by hand');
  return { post: (message) => send(message), listen: (listener) => process.on('message', listener) };
}
