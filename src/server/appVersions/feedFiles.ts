import type { AppVersionFile } from '../../shared/model/appVersion.ts';

/** What makers of installers write into their names for processors other than x64. */
const PROCESSORS = [
  ['arm64', /arm64|aarch64/iu],
  ['arm', /armv7l|armhf/iu],
  ['ia32', /ia32|i386/iu],
] as const;

function processorOf(name: string): string {
  return PROCESSORS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'x64';
}

/**
 * The installers that a feed lists: those of one processor, or all with those for x64 first, because a client that finds no
 * name with its own processor takes the first.
 */
export function feedFiles(files: readonly AppVersionFile[], processor: string | null): readonly AppVersionFile[] {
  const installers = files.filter(({ name }) => !name.endsWith('.blockmap'));
  if (processor !== null) return installers.filter(({ name }) => processorOf(name) === processor);
  return installers.toSorted((a, b) => Number(processorOf(a.name) !== 'x64') - Number(processorOf(b.name) !== 'x64'));
}
