import { avatarLook, initialsOf } from './avatarLook.ts';

export interface AvatarProps {
  readonly name: string;
  /** Gives the colour where the name shown is not the one that others show. */
  readonly username?: string;
  readonly large?: boolean;
}

/** Someone's initials on a colour and a pattern of fixed lists. Decorative: the name stands beside it. */
export function Avatar({ name, username = name, large = false }: AvatarProps) {
  const { hue, pattern } = avatarLook(username);
  return (
    <span
      className={large ? 'avatar avatar--large' : 'avatar'}
      data-hue={hue}
      data-pattern={pattern}
      data-initials={initialsOf(name) || '?'}
      aria-hidden="true"
    />
  );
}
