import { randomUUID } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import type { Library, Shelf, ShelfMember } from '../../shared/model/library.ts';
import { inNameOrder, nameKey } from '../../shared/rules/names.ts';
import type { Access, LibraryAccess } from '../access/access.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import { isUniqueViolation } from '../database/faults.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Actor } from '../http/context.ts';
import { checkedName, claimName } from './names.ts';
import type { Plans } from './plans.ts';

/** Which of archived and other things a list shows. */
export type ArchivedFilter = 'exclude' | 'include' | 'only';

/** Makes a library inside a transaction of the caller. @returns its id */
export async function insertLibrary(
  transaction: Database,
  plans: Plans,
  userId: string,
  rawName: string,
  now: number,
): Promise<string> {
  const name = checkedName(rawName);
  await plans.claim(transaction, userId, 'max_libraries', 1);
  const id = randomUUID();
  await claimName(transaction, name, 'library', id);
  await transaction
    .insertInto('libraries')
    .values({
      id,
      name,
      name_key: nameKey(name),
      owner_id: userId,
      archived: 0,
      created_at: new Date(now).toISOString(),
    })
    .execute();
  return id;
}

/** Makes a shelf inside a transaction of the caller. @returns its id @throws AppError `name-taken`, `plan-limit-reached` */
export async function insertShelf(
  transaction: Database,
  plans: Plans,
  library: { readonly id: string; readonly owner_id: string },
  rawName: string,
  now: number,
): Promise<string> {
  const name = checkedName(rawName);
  await plans.claim(transaction, library.owner_id, 'max_shelves', 1);
  const id = randomUUID();
  const at = new Date(now).toISOString();
  const shelf = { id, library_id: library.id, name, name_key: nameKey(name), head_commit: null };
  try {
    await transaction
      .insertInto('shelves')
      .values({ ...shelf, archived: 0, created_at: at, updated_at: at })
      .execute();
  } catch (error) {
    throw shelfNameFault(error, name);
  }
  const owner = { shelf_id: id, user_id: library.owner_id, role: 'owner' as const };
  await transaction.insertInto('shelf_members').values(owner).execute();
  return id;
}

/** What a failed write of a shelf's name means. */
export function shelfNameFault(error: unknown, name: string): unknown {
  return isUniqueViolation(error)
    ? new AppError('name-taken', 'the library has a shelf of this name', { details: { name }, cause: error })
    : error;
}

/** Libraries and shelves as one user sees them; what the user may not read does not exist. */
export interface Libraries {
  list(actor: Actor, archived?: ArchivedFilter): Promise<Library[]>;
  listWithShelves(actor: Actor, archived?: ArchivedFilter): Promise<(Library & { shelves: Shelf[] })[]>;
  get(actor: Actor, name: string): Promise<Library & { shelves: Shelf[] }>;
  create(actor: Actor, name: string): Promise<Library>;
  shelves(actor: Actor, library: string, archived?: ArchivedFilter): Promise<Shelf[]>;
  createShelf(actor: Actor, library: string, name: string): Promise<Shelf>;
  shelf(actor: Actor, library: string, shelfId: string): Promise<Shelf>;
  shelfNameTaken(libraryId: string, name: string): Promise<boolean>;
}

const isShown = (isArchived: boolean, filter: ArchivedFilter) =>
  filter === 'include' || isArchived === (filter === 'only');

/** Makes the service. */
export function createLibraries(options: {
  readonly database: Database;
  readonly access: Access;
  readonly plans: Plans;
  readonly now: () => number;
}): Libraries {
  const { database, access, plans, now } = options;
  const absent = (what: string) => new AppError('not-found', `there is no such ${what}`);

  type LibraryRow = { id: string; name: string; archived: number; created_at: string; owner_id: string };

  /** By way of what is the actor's, so that others' libraries cost nothing. */
  async function visibleLibraries(actor: Actor): Promise<LibraryRow[]> {
    const rows = await database
      .selectFrom('libraries')
      .select(['id', 'name', 'archived', 'created_at', 'owner_id'])
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('libraries as own')
          .select('own.id')
          .where('own.owner_id', '=', actor.id)
          .union(
            selectFrom('shelf_members')
              .innerJoin('shelves', 'shelves.id', 'shelf_members.shelf_id')
              .select('shelves.library_id as id')
              .where('shelf_members.user_id', '=', actor.id),
          ),
      )
      .execute();
    return inNameOrder(rows);
  }

  /** The actor's shelves, of one library or of all, or a single one. */
  async function shelvesOf(
    actor: Actor,
    { libraryId, shelfId }: { readonly libraryId?: string; readonly shelfId?: string },
  ): Promise<(Shelf & { library_id: string })[]> {
    const rows = await database
      .selectFrom('shelf_members')
      .innerJoin('shelves', 'shelves.id', 'shelf_members.shelf_id')
      .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
      .select([
        'shelves.id',
        'shelves.name',
        'shelves.library_id',
        'shelves.archived',
        'shelves.updated_at',
        'shelves.document_count',
        'libraries.name as library',
      ])
      .where('shelf_members.user_id', '=', actor.id)
      .$if(libraryId !== undefined, (query) => query.where('shelves.library_id', '=', libraryId ?? ''))
      .$if(shelfId !== undefined, (query) => query.where('shelves.id', '=', shelfId ?? ''))
      .execute();
    const members = await membersOf(rows.map((row) => row.id));
    return inNameOrder(rows).map(({ archived, ...row }) => ({
      ...row,
      archived: archived === 1,
      members: members.get(row.id) ?? [],
    }));
  }

  async function membersOf(shelfIds: readonly string[]): Promise<Map<string, ShelfMember[]>> {
    const byShelf = new Map<string, ShelfMember[]>(shelfIds.map((id) => [id, []]));
    for (const chunk of inChunks(shelfIds)) {
      const rows = await database
        .selectFrom('shelf_members')
        .innerJoin('users', 'users.id', 'shelf_members.user_id')
        .select(['shelf_members.shelf_id', 'shelf_members.role', 'users.id', 'users.username', 'users.name'])
        .where('shelf_members.shelf_id', 'in', chunk)
        .execute();
      for (const { shelf_id, id, username, name, role } of rows) {
        byShelf.get(shelf_id)?.push({ member_id: id, username: username ?? '', name, role });
      }
    }
    return byShelf;
  }

  function assemble(
    libraries: readonly LibraryRow[],
    shelves: readonly (Shelf & { library_id: string })[],
    archived: ArchivedFilter,
  ): (Library & { shelves: Shelf[] })[] {
    const byLibrary = Map.groupBy(shelves, ({ library_id }) => library_id);
    return libraries.map((library) => {
      const own = (byLibrary.get(library.id) ?? []).map(({ library_id: _, ...shelf }) => shelf);
      return {
        id: library.id,
        name: library.name,
        archived: library.archived === 1,
        created_at: library.created_at,
        shelf_count: own.length,
        shelves: own.filter((shelf) => library.archived === 1 || isShown(shelf.archived, archived)),
      };
    });
  }

  const summaryOf = ({ shelves: _, ...library }: Library & { shelves: Shelf[] }): Library => library;

  async function details(library: LibraryAccess, actor: Actor) {
    const row = await database
      .selectFrom('libraries')
      .select(['id', 'name', 'archived', 'created_at', 'owner_id'])
      .where('id', '=', library.id)
      .executeTakeFirst();
    if (row === undefined) throw absent('library');
    const [whole] = assemble([row], await shelvesOf(actor, { libraryId: library.id }), 'include');
    if (whole === undefined) throw absent('library');
    return whole;
  }

  const service: Libraries = {
    list: async (actor, archived) => (await service.listWithShelves(actor, archived)).map(summaryOf),
    async listWithShelves(actor, archived = 'exclude') {
      const libraries = (await visibleLibraries(actor)).filter((row) => isShown(row.archived === 1, archived));
      return assemble(libraries, await shelvesOf(actor, {}), archived);
    },
    get: async (actor, name) => details(await access.library(actor, name), actor),
    async create(actor, name) {
      await inTransaction(database, (transaction) => insertLibrary(transaction, plans, actor.id, name, now()));
      return summaryOf(await service.get(actor, name));
    },
    async shelves(actor, libraryName, archived = 'exclude') {
      const library = await access.library(actor, libraryName);
      const shelves = await shelvesOf(actor, { libraryId: library.id });
      return shelves.filter((shelf) => isShown(shelf.archived, archived)).map(({ library_id: _, ...shelf }) => shelf);
    },
    async createShelf(actor, libraryName, name) {
      const library = await access.library(actor, libraryName);
      if (!library.isOwner) throw new AppError('forbidden', 'only the owner of the library makes shelves in it');
      if (library.archived) throw new AppError('archived', 'the library is archived and read-only');
      const id = await inTransaction(database, (transaction) => insertShelf(transaction, plans, library, name, now()));
      return service.shelf(actor, libraryName, id);
    },
    async shelf(actor, library, shelfId) {
      const [found] = await shelvesOf(actor, { shelfId });
      if (found === undefined || nameKey(found.library) !== nameKey(library)) throw absent('shelf');
      const { library_id: _, ...shelf } = found;
      return shelf;
    },
    async shelfNameTaken(libraryId, name) {
      const taken = await database
        .selectFrom('shelves')
        .select('id')
        .where('library_id', '=', libraryId)
        .where('name_key', '=', nameKey(name))
        .executeTakeFirst();
      return taken !== undefined;
    },
  };
  return service;
}
