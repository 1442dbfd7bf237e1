const HUES = 6;

function hueOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return sum % HUES;
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => [...(word ?? '')][0] ?? '').join('');
}

export interface AvatarProps {
  readonly name: string;
  /** Gives the colour where the name shown is not the one that others show. */
  readonly username?: string;
  readonly large?: boolean;
}

/** Someone's initials on one of a fixed list of colours. Decorative: the name stands beside it. */
export function Avatar({ name, username = name, large = false }: AvatarProps) {
  return (
    <span
      className={large ? 'avatar avatar--large' : 'avatar'}
      data-hue={hueOf(username)}
      data-initials={initialsOf(name) || '?'}
      aria-hidden="true"
    />
  );
}
