import type { Shelf, ShelfMember } from '../../shared/model/library.ts';

/** What somebody may do on a shelf; null for who is no member. */
export function roleOn(shelf: Pick<Shelf, 'members'>, username: string): ShelfMember['role'] | null {
  return shelf.members.find((member) => member.username === username)?.role ?? null;
}

/** Whether somebody owns a library. Its owner owns each shelf of it, and a library without shelves is seen by its owner alone. */
export function ownsLibrary(
  library: { readonly shelf_count: number; readonly shelves: readonly Shelf[] },
  username: string,
): boolean {
  return library.shelf_count === 0 || library.shelves.some((shelf) => roleOn(shelf, username) === 'owner');
}
