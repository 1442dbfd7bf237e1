import { EventEmitter } from 'node:events';

/** Gives a child process the `process.parentPort` that a utility process has. */
const port = new EventEmitter();
process.on('message', (data) => port.emit('message', { data, ports: [] }));
process.on('disconnect', () => process.exit(0));
Object.assign(process, {
  parentPort: Object.assign(port, {
    postMessage: (message: unknown) => {
      if (process.connected) process.send?.(message);
    },
  }),
});
