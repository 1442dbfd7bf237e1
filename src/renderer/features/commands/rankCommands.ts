/** Groups of the palette, in their order. */
export const GROUPS = ['here', 'go', 'library', 'shelf', 'document', 'settings', 'action'] as const;
export type CommandGroup = (typeof GROUPS)[number];

/** Something that the palette leads to or does. */
export interface Command {
  readonly id: string;
  readonly group: CommandGroup;
  readonly label: string;
  /** Where it is: the library of a shelf, the shelf of a document. */
  readonly detail?: string;
  readonly run: () => unknown;
}

/** So many are shown at the most: who wants another one types on. */
const SHOWN = 60;

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** How well a label answers: it begins so, a word of it does, it holds it, or only its place does. */
function rank(label: string, words: readonly string[]): number {
  const [first = ''] = words;
  if (label.startsWith(words.join(' '))) return 0;
  if (label.split(/[\s\p{P}]+/u).some((word) => word.startsWith(first))) return 1;
  return words.every((word) => label.includes(word)) ? 2 : 3;
}

/**
 * The commands that hold every word of a text, group by group, the one with the best answer first; all of them for no text.
 */
export function rankCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = plain(text)
    .split(/\s+/u)
    .filter((word) => word !== '');
  const found = commands
    .map((command) => ({
      command,
      label: plain(command.label),
      all: plain(`${command.label} ${command.detail ?? ''}`),
    }))
    .filter(({ all }) => words.every((word) => all.includes(word)))
    .map(({ command, label }) => ({ command, rank: rank(label, words) }));
  const best = new Map<CommandGroup, number>();
  for (const { command, rank } of found) best.set(command.group, Math.min(rank, best.get(command.group) ?? rank));
  const placeOf = ({ group }: Command) => (best.get(group) ?? 0) * GROUPS.length + GROUPS.indexOf(group);
  return found
    .sort((a, b) => placeOf(a.command) - placeOf(b.command) || a.rank - b.rank)
    .slice(0, SHOWN)
    .map(({ command }) => command);
}
