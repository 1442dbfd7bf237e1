import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { checkOptions, strict } from './strict.ts';

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** A utility process, played by a child process of Node. */
class StandInUtilityProcess extends EventEmitter {
  private readonly child: ChildProcess;

  constructor(entry: string, args: readonly string[], options: Electron.ForkOptions) {
    super();
    checkOptions('utilityProcess.fork', options, ['serviceName', 'stdio', 'env']);
    const shown = process.env.ARMARIUM_STAND_IN_OUTPUT === undefined ? 'ignore' : 'inherit';
    this.child = fork(entry, [...args], {
      execArgv: [
        '--disable-warning=ExperimentalWarning',
        '--import',
        new URL('./utilityChild.ts', import.meta.url).href,
      ],
      serialization: 'advanced',
      stdio: [shown, shown, shown, 'ipc'],
    });
    children.add(this.child);
    this.child.on('spawn', () => this.emit('spawn'));
    this.child.on('message', (message) => this.emit('message', message));
    this.child.on('exit', (code) => {
      children.delete(this.child);
      this.emit('exit', code ?? 1);
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }
  postMessage(message: unknown): void {
    // One that is on its way out hears nothing any more, as with the real one.
    if (this.child.connected) this.child.send(message as never);
  }
  kill(): boolean {
    return this.child.kill();
  }
}

export const utilityProcess = strict('electron.utilityProcess', {
  fork: (entry: string, args: readonly string[] = [], options: Electron.ForkOptions = {}) =>
    strict('UtilityProcess', new StandInUtilityProcess(entry, args, options)),
});
