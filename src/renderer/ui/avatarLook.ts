const HUES = 6;
const PATTERNS = ['plain', 'dots', 'stripes', 'rings', 'halves'] as const;

/** How someone without a picture looks: always the same for the same name (web-and-phone.md §9). */
export interface AvatarLook {
  /** Place in the style sheet's fixed list of colours. */
  readonly hue: number;
  readonly pattern: (typeof PATTERNS)[number];
}

/** Colour and decorative pattern of a name. Many share a colour, few share both. */
export function avatarLook(name: string): AvatarLook {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return { hue: sum % HUES, pattern: PATTERNS[Math.floor(sum / HUES) % PATTERNS.length] ?? 'plain' };
}

/** The first letters of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => [...(word ?? '')][0] ?? '').join('');
}
