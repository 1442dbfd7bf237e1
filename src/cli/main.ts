import { CommandError, commandError } from './commandError.ts';

/** A command: what stands behind its name, and the exit code that it ends with. */
type Command = (args: string[]) => Promise<number>;

const COMMANDS: Readonly<Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>> = {
  serve: { summary: 'starts the server', load: async () => (await import('./serveCommand.ts')).serveCommand },
  backup: {
    summary: "copies a server's data while it runs",
    load: async () => (await import('./backupCommand.ts')).backupCommand,
  },
  restore: {
    summary: 'puts a backup in place',
    load: async () => (await import('./backupCommand.ts')).restoreCommand,
  },
  check: {
    summary: 'checks everything that a server keeps',
    load: async () => (await import('./checkCommand.ts')).checkCommand,
  },
  export: {
    summary: 'writes a library to a folder, with all versions',
    load: async () => (await import('./exportCommand.ts')).exportCommand,
  },
  import: {
    summary: 'makes a library of an export, or brings files onto a shelf',
    load: async () => (await import('./importCommand.ts')).importCommand,
  },
  user: {
    summary: 'lists and changes accounts',
    load: async () => (await import('./userCommand.ts')).userCommand,
  },
  index: {
    summary: 'makes or updates the index of a folder',
    load: async () => (await import('./indexCommand.ts')).indexCommand,
  },
  watch: {
    summary: 'keeps the index of a folder up to date',
    load: async () => (await import('./watchCommand.ts')).watchCommand,
  },
  status: {
    summary: 'tells what an index holds',
    load: async () => (await import('./statusCommand.ts')).statusCommand,
  },
  find: {
    summary: 'finds a phrase in an indexed folder',
    load: async () => (await import('./findCommand.ts')).findCommand,
  },
};

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(8)}${summary}`);
  return `usage: armarium COMMAND [options]\n\n${lines.join('\n')}\n\narmarium COMMAND --help tells a command's options.\n`;
}

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === 'help') {
    process.stdout.write(usage());
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    process.stderr.write(`armarium: there is no command ${name}\n${usage()}`);
    return 2;
  }
  try {
    return await (await command.load())(rest);
  } catch (error) {
    const known = error instanceof CommandError ? error : commandError(error);
    if (known === null) throw error;
    process.stderr.write(`armarium ${name}: ${known.message}\n`);
    return known.exitCode;
  }
}

// A reader that closes the pipe early, such as head, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
process.exitCode = await main(process.argv.slice(2));
