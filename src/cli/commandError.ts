import { type ParseArgsConfig, parseArgs } from 'node:util';
import { isAppError } from '../shared/errors.ts';

/** Ends a command with a message for the person: 2 for a wrong call, 1 for what could not be done. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: 1 | 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What the system or the product refused, as the end of a command; null for what nobody expected. */
export function commandError(error: unknown): CommandError | null {
  if (isAppError(error)) return new CommandError(error.message, 1);
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  return code !== undefined && syscall !== undefined ? new CommandError(message, 1) : null;
}

/** Reads a command's options; what it does not know ends it with its usage. */
export function readOptions<T extends ParseArgsConfig>(config: T, usage: string): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n${usage}`, 2);
  }
}

/** A whole number from `least`, or the end of the command. */
export function readNumber(name: string, value: string, least: number): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < least)
    throw new CommandError(`${name} takes a whole number from ${least}, not ${value}`, 2);
  return number;
}
