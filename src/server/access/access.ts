import { AppError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Database } from '../database/connection.ts';
import type { Actor } from '../http/context.ts';

/** What a member may do on a shelf; each role may what the ones before it may (decisions.md §6). */
export const ROLES = ['viewer', 'editor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** What a call needs. Whatever changes something is refused on an archived shelf unless it says that it may. */
export interface Need {
  readonly role: Role;
  /** `write` is refused where shelf or library is archived. */
  readonly for: 'read' | 'write';
}

export const READ: Need = { role: 'viewer', for: 'read' };
/** What viewers may do that changes something: comment. */
export const COMMENT: Need = { role: 'viewer', for: 'write' };
export const EDIT: Need = { role: 'editor', for: 'write' };
export const MANAGE: Need = { role: 'owner', for: 'write' };
/** The owner's calls that have to work on an archived shelf: unarchive it, delete it, remove somebody. */
export const MANAGE_ARCHIVED: Need = { role: 'owner', for: 'read' };

/** A shelf that the actor may use as asked, with where it stands. */
export interface ShelfAccess {
  readonly id: string;
  readonly name: string;
  readonly library_id: string;
  readonly library: string;
  /** User id of the library's owner, whose plan counts. */
  readonly owner_id: string;
  readonly role: Role;
  /** The shelf or its library is read-only. */
  readonly archived: boolean;
}

export interface LibraryAccess {
  readonly id: string;
  readonly name: string;
  readonly owner_id: string;
  readonly isOwner: boolean;
  readonly archived: boolean;
}

/** A document with the shelf it stands on. */
export interface DocumentAccess {
  readonly shelf: ShelfAccess;
  readonly id: string;
  readonly name: string;
  readonly current_version: number;
  readonly deleted: boolean;
}

/** A version with its document and shelf. */
export interface VersionAccess {
  readonly document: DocumentAccess;
  readonly id: string;
  readonly number: number;
}

/**
 * Who may do what: the one place that decides. What the actor cannot see does not exist (`not-found`, whether it is there or
 * not); what the actor can see but not do is `forbidden`, or `archived`. Each question costs the same however much others have.
 */
export interface Access {
  library(actor: Actor, name: string): Promise<LibraryAccess>;
  /** A shelf by the names of its address. */
  shelf(actor: Actor, library: string, shelfId: string, need: Need): Promise<ShelfAccess>;
  shelfById(actor: Actor, shelfId: string, need: Need): Promise<ShelfAccess>;
  /** Documents in the trash are found too, marked as such. */
  document(actor: Actor, documentId: string, need: Need): Promise<DocumentAccess>;
  version(actor: Actor, versionId: string, need: Need): Promise<VersionAccess>;
}

function refuse(shelf: ShelfAccess, need: Need): void {
  if (ROLES.indexOf(shelf.role) < ROLES.indexOf(need.role)) {
    throw new AppError('forbidden', `this needs the role ${need.role} on the shelf, and yours is ${shelf.role}`, {
      details: { needed: need.role, role: shelf.role },
    });
  }
  if (need.for === 'write' && shelf.archived) throw new AppError('archived', 'the shelf is archived and read-only');
}

/** Makes the service. */
export function createAccess(database: Database): Access {
  const absent = (what: string) => new AppError('not-found', `there is no such ${what}`);

  const memberships = (actor: Actor) =>
    database
      .selectFrom('shelf_members')
      .innerJoin('shelves', 'shelves.id', 'shelf_members.shelf_id')
      .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
      .where('shelf_members.user_id', '=', actor.id)
      .select([
        'shelves.id as shelf_id',
        'shelves.name as shelf_name',
        'shelves.archived as shelf_archived',
        'shelf_members.role',
        'libraries.id as library_id',
        'libraries.name as library_name',
        'libraries.owner_id',
        'libraries.archived as library_archived',
      ]);

  type Row = Awaited<ReturnType<ReturnType<typeof memberships>['executeTakeFirstOrThrow']>>;

  const shelfOf = (row: Row): ShelfAccess => ({
    id: row.shelf_id,
    name: row.shelf_name,
    library_id: row.library_id,
    library: row.library_name,
    owner_id: row.owner_id,
    role: row.role,
    archived: row.shelf_archived === 1 || row.library_archived === 1,
  });

  function allow(row: Row | undefined, need: Need, what: string): ShelfAccess {
    if (row === undefined) throw absent(what);
    const shelf = shelfOf(row);
    refuse(shelf, need);
    return shelf;
  }

  const documents = (actor: Actor) =>
    memberships(actor)
      .innerJoin('documents', 'documents.shelf_id', 'shelves.id')
      .select([
        'documents.id as document_id',
        'documents.name as document_name',
        'documents.current_version',
        'documents.deleted',
      ]);

  type DocumentRow = Awaited<ReturnType<ReturnType<typeof documents>['executeTakeFirstOrThrow']>>;

  const documentOf = (shelf: ShelfAccess, row: DocumentRow): DocumentAccess => ({
    shelf,
    id: row.document_id,
    name: row.document_name,
    current_version: row.current_version,
    deleted: row.deleted === 1,
  });

  return {
    async library(actor, name) {
      const row = await database
        .selectFrom('libraries')
        .select(['id', 'name', 'owner_id', 'archived'])
        .where('name_key', '=', nameKey(name))
        .where(({ or, eb, exists }) =>
          or([
            eb('owner_id', '=', actor.id),
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
        .executeTakeFirst();
      if (row === undefined) throw absent('library');
      return { ...row, isOwner: row.owner_id === actor.id, archived: row.archived === 1 };
    },
    async shelf(actor, library, shelfId, need) {
      const row = await memberships(actor)
        .where('shelves.id', '=', shelfId)
        .where('libraries.name_key', '=', nameKey(library))
        .executeTakeFirst();
      return allow(row, need, 'shelf');
    },
    async shelfById(actor, shelfId, need) {
      const row = await memberships(actor).where('shelves.id', '=', shelfId).executeTakeFirst();
      return allow(row, need, 'shelf');
    },
    async document(actor, documentId, need) {
      const row = await documents(actor).where('documents.id', '=', documentId).executeTakeFirst();
      const shelf = allow(row, need, 'document');
      return documentOf(shelf, row as DocumentRow);
    },
    async version(actor, versionId, need) {
      const row = await documents(actor)
        .innerJoin('versions', 'versions.document_id', 'documents.id')
        .select(['versions.id as version_id', 'versions.number'])
        .where('versions.id', '=', versionId)
        .executeTakeFirst();
      const shelf = allow(row, need, 'version');
      const found = row as NonNullable<typeof row>;
      return { document: documentOf(shelf, found), id: found.version_id, number: found.number };
    },
  };
}
