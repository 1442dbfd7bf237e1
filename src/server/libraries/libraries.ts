import { randomUUID } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import type { PlanType } from '../../shared/model/common.ts';
import type { Library, Shelf, ShelfMember } from '../../shared/model/library.ts';
import { PLAN_LIMITS, type PlanLimits } from '../../shared/rules/limits.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Database } from '../database/connection.ts';
import type { Actor } from '../http/context.ts';
import { checkedName, claimName, isUniqueViolation } from './names.ts';

/** Refuses what a plan has no room for, saying which limit it is and how much of it is used. */
export function checkLimit(limits: PlanLimits, name: keyof PlanLimits, used: number, wanted: number): void {
  const max = limits[name];
  if (max === null || used + wanted <= max) return;
  throw new AppError('plan-limit-reached', `the plan allows ${max}, ${used} are in use`, {
    details: { limit: name, max, used },
  });
}

/** The limits of a user's plan. */
export async function planLimits(database: Database, userId: string): Promise<PlanLimits> {
  const { plan_type } = await database
    .selectFrom('users')
    .select('plan_type')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return PLAN_LIMITS[plan_type as PlanType];
}

const count = (rows: readonly unknown[]) => rows.length;

/** Makes a library inside a transaction of the caller. @returns its id */
export async function insertLibrary(
  transaction: Database,
  userId: string,
  rawName: string,
  now: number,
): Promise<string> {
  const name = checkedName(rawName);
  const owned = await transaction.selectFrom('libraries').select('id').where('owner_id', '=', userId).execute();
  checkLimit(await planLimits(transaction, userId), 'max_libraries', count(owned), 1);
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

/** Libraries and shelves as one user sees them; what the user may not read does not exist. */
export interface Libraries {
  list(actor: Actor): Promise<Library[]>;
  listWithShelves(actor: Actor): Promise<(Library & { shelves: Shelf[] })[]>;
  get(actor: Actor, name: string): Promise<Library & { shelves: Shelf[] }>;
  create(actor: Actor, name: string): Promise<Library>;
  shelves(actor: Actor, library: string): Promise<Shelf[]>;
  createShelf(actor: Actor, library: string, name: string): Promise<Shelf>;
  /** The id of a library that the actor can see. @throws AppError `not-found` */
  idOf(actor: Actor, library: string): Promise<string>;
  shelf(actor: Actor, library: string, shelfId: string): Promise<Shelf>;
  shelfNameTaken(libraryId: string, name: string): Promise<boolean>;
}

/** Makes the service. */
export function createLibraries(database: Database, now: () => number): Libraries {
  const absent = (what: string) => new AppError('not-found', `there is no such ${what}`);

  function visibleLibraries(actor: Actor) {
    return database
      .selectFrom('libraries')
      .select(['libraries.id', 'libraries.name', 'libraries.archived', 'libraries.created_at', 'libraries.owner_id'])
      .where(({ or, eb, exists }) =>
        or([
          eb('libraries.owner_id', '=', actor.id),
          exists(
            eb
              .selectFrom('shelves')
              .innerJoin('shelf_members', 'shelf_members.shelf_id', 'shelves.id')
              .select('shelves.id')
              .whereRef('shelves.library_id', '=', 'libraries.id')
              .where('shelf_members.user_id', '=', actor.id),
          ),
        ]),
      )
      .orderBy('libraries.name_key');
  }

  async function shelvesOf(actor: Actor, libraryIds: readonly string[]): Promise<Map<string, Shelf[]>> {
    const byLibrary = new Map<string, Shelf[]>(libraryIds.map((id) => [id, []]));
    if (libraryIds.length === 0) return byLibrary;
    const rows = await database
      .selectFrom('shelves')
      .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
      .innerJoin('shelf_members as mine', (join) =>
        join.onRef('mine.shelf_id', '=', 'shelves.id').on('mine.user_id', '=', actor.id),
      )
      .select([
        'shelves.id',
        'shelves.name',
        'shelves.library_id',
        'shelves.archived',
        'shelves.updated_at',
        'libraries.name as library',
      ])
      .select((eb) =>
        eb
          .selectFrom('documents')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('documents.shelf_id', '=', 'shelves.id')
          .where('documents.deleted', '=', 0)
          .as('document_count'),
      )
      .where('shelves.library_id', 'in', libraryIds)
      .orderBy('shelves.name_key')
      .execute();
    const members = await membersOf(rows.map((row) => row.id));
    for (const row of rows) {
      byLibrary.get(row.library_id)?.push({
        id: row.id,
        name: row.name,
        library: row.library,
        archived: row.archived === 1,
        members: members.get(row.id) ?? [],
        document_count: Number(row.document_count ?? 0),
        updated_at: row.updated_at,
      });
    }
    return byLibrary;
  }

  async function membersOf(shelfIds: readonly string[]): Promise<Map<string, ShelfMember[]>> {
    const byShelf = new Map<string, ShelfMember[]>();
    if (shelfIds.length === 0) return byShelf;
    const rows = await database
      .selectFrom('shelf_members')
      .innerJoin('users', 'users.id', 'shelf_members.user_id')
      .select(['shelf_members.shelf_id', 'shelf_members.role', 'users.id', 'users.username', 'users.name'])
      .where('shelf_members.shelf_id', 'in', shelfIds)
      .execute();
    for (const row of rows) {
      const member = { member_id: row.id, username: row.username ?? '', name: row.name, role: row.role };
      byShelf.set(row.shelf_id, [...(byShelf.get(row.shelf_id) ?? []), member]);
    }
    return byShelf;
  }

  async function withShelves(
    actor: Actor,
    libraries: Awaited<ReturnType<ReturnType<typeof visibleLibraries>['execute']>>,
  ) {
    const shelves = await shelvesOf(
      actor,
      libraries.map((library) => library.id),
    );
    return libraries.map((library) => ({
      id: library.id,
      name: library.name,
      archived: library.archived === 1,
      created_at: library.created_at,
      shelf_count: shelves.get(library.id)?.length ?? 0,
      shelves: shelves.get(library.id) ?? [],
    }));
  }

  async function find(actor: Actor, name: string) {
    const library = await visibleLibraries(actor).where('libraries.name_key', '=', nameKey(name)).executeTakeFirst();
    if (library === undefined) throw absent('library');
    return library;
  }

  const service: Libraries = {
    async list(actor) {
      return (await service.listWithShelves(actor)).map(({ shelves: _, ...library }) => library);
    },
    listWithShelves: async (actor) => withShelves(actor, await visibleLibraries(actor).execute()),
    async get(actor, name) {
      const [library] = await withShelves(actor, [await find(actor, name)]);
      if (library === undefined) throw absent('library');
      return library;
    },
    async create(actor, name) {
      await database.transaction().execute((transaction) => insertLibrary(transaction, actor.id, name, now()));
      const { shelves: _, ...library } = await service.get(actor, name);
      return library;
    },
    async shelves(actor, library) {
      const { id } = await find(actor, library);
      return (await shelvesOf(actor, [id])).get(id) ?? [];
    },
    async createShelf(actor, libraryName, rawName) {
      const library = await find(actor, libraryName);
      if (library.owner_id !== actor.id)
        throw new AppError('forbidden', 'only the owner of the library makes shelves in it');
      if (library.archived === 1) throw new AppError('forbidden', 'the library is archived');
      const name = checkedName(rawName);
      const id = randomUUID();
      const at = new Date(now()).toISOString();
      await database.transaction().execute(async (transaction) => {
        const owned = await transaction
          .selectFrom('shelves')
          .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
          .select('shelves.id')
          .where('libraries.owner_id', '=', actor.id)
          .execute();
        checkLimit(await planLimits(transaction, actor.id), 'max_shelves', count(owned), 1);
        try {
          await transaction
            .insertInto('shelves')
            .values({
              id,
              library_id: library.id,
              name,
              name_key: nameKey(name),
              archived: 0,
              head_commit: null,
              created_at: at,
              updated_at: at,
            })
            .execute();
        } catch (error) {
          throw isUniqueViolation(error)
            ? new AppError('name-taken', 'the library has a shelf of this name', { details: { name }, cause: error })
            : error;
        }
        await transaction
          .insertInto('shelf_members')
          .values({ shelf_id: id, user_id: actor.id, role: 'owner' })
          .execute();
      });
      return service.shelf(actor, libraryName, id);
    },
    idOf: async (actor, library) => (await find(actor, library)).id,
    async shelf(actor, library, shelfId) {
      const { id } = await find(actor, library);
      const shelf = (await shelvesOf(actor, [id])).get(id)?.find((each) => each.id === shelfId);
      if (shelf === undefined) throw absent('shelf');
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
