import { AppError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Access, LibraryAccess, ShelfAccess } from '../access/access.ts';
import { MANAGE, MANAGE_ARCHIVED } from '../access/access.ts';
import type { Audit } from '../audit/audit.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Caller } from '../http/context.ts';
import type { Notifier } from '../notifications/notifier.ts';
import { shelfNameFault } from './libraries.ts';
import { checkedName, claimName } from './names.ts';
import type { Plans } from './plans.ts';

export type ArchiveAction = 'archive' | 'unarchive';

/** What only the owner may do with libraries and shelves (decisions.md §6). All of it is audited and told to the members. */
export interface LibraryManagement {
  rename(caller: Caller, library: string, name: string): Promise<void>;
  archive(caller: Caller, library: string, action: ArchiveAction): Promise<void>;
  remove(caller: Caller, library: string): Promise<void>;
  transfer(caller: Caller, library: string, username: string): Promise<void>;
  renameShelf(caller: Caller, library: string, shelfId: string, name: string): Promise<void>;
  archiveShelf(caller: Caller, library: string, shelfId: string, action: ArchiveAction): Promise<void>;
  removeShelf(caller: Caller, library: string, shelfId: string): Promise<void>;
  /** Deletes every library that a user owns, inside the caller's transaction. */
  removeAllOf(transaction: Database, userId: string): Promise<void>;
}

/** Makes the service. */
export function createLibraryManagement(options: {
  readonly database: Database;
  readonly access: Access;
  readonly plans: Plans;
  readonly audit: Audit;
  readonly notifier: Notifier;
  /** Told that a library or a shelf of it goes by another name, so that the index follows. */
  readonly onRenamed: (libraryId: string) => void;
  /** Told that a shelf went to the trash with its documents. */
  readonly onDeleted: (shelfId: string) => void;
  readonly now: () => number;
}): LibraryManagement {
  const { database, access, plans, audit, notifier, onRenamed, onDeleted, now } = options;

  async function owned({ actor }: Caller, name: string): Promise<LibraryAccess> {
    const library = await access.library(actor, name);
    if (!library.isOwner) throw new AppError('forbidden', 'only the owner of the library may');
    return library;
  }

  async function membersOfLibrary(on: Database, libraryId: string): Promise<string[]> {
    const rows = await on
      .selectFrom('shelf_members')
      .innerJoin('shelves', 'shelves.id', 'shelf_members.shelf_id')
      .select('shelf_members.user_id')
      .distinct()
      .where('shelves.library_id', '=', libraryId)
      .execute();
    return rows.map(({ user_id }) => user_id);
  }

  /** Writes the audit entry and the notification that belong to a change of a library. */
  async function tellOfLibrary(
    on: Database,
    caller: Caller,
    library: LibraryAccess,
    type: 'LIBRARY_RENAME' | 'LIBRARY_ARCHIVE' | 'LIBRARY_UNARCHIVE' | 'LIBRARY_DELETE',
    names: { readonly old_name?: string; readonly new_name?: string } = {},
  ): Promise<void> {
    await audit.record(on, caller.actor, caller.address, {
      action: `library.${type.slice('LIBRARY_'.length).toLowerCase()}`,
      target: { kind: 'library', id: library.id, name: library.name },
      libraryId: library.id,
      details: names,
    });
    await notifier.notify(on, {
      type,
      actorId: caller.actor.id,
      target: { kind: 'library', id: library.id },
      metadata: { library_name: names.new_name ?? library.name, ...names },
      to: { users: await membersOfLibrary(on, library.id) },
    });
  }

  async function tellOfShelf(
    on: Database,
    caller: Caller,
    shelf: ShelfAccess,
    type: 'SHELF_RENAME' | 'SHELF_ARCHIVE' | 'SHELF_UNARCHIVE' | 'SHELF_DELETE',
    names: { readonly old_name?: string; readonly new_name?: string } = {},
  ): Promise<void> {
    await audit.record(on, caller.actor, caller.address, {
      action: `shelf.${type.slice('SHELF_'.length).toLowerCase()}`,
      target: { kind: 'shelf', id: shelf.id, name: shelf.name },
      libraryId: shelf.library_id,
      details: names,
    });
    await notifier.notify(on, {
      type,
      actorId: caller.actor.id,
      target: { kind: 'shelf', id: shelf.id },
      metadata: { library_name: shelf.library, shelf_name: names.new_name ?? shelf.name, shelf_id: shelf.id, ...names },
      to: { membersOf: shelf.id },
    });
  }

  async function forgetLibrary(on: Database, libraryId: string): Promise<void> {
    await on.deleteFrom('names').where('kind', '=', 'library').where('owner_id', '=', libraryId).execute();
    await on
      .updateTable('users')
      .set({ default_library_id: null })
      .where('default_library_id', '=', libraryId)
      .execute();
    await on.deleteFrom('libraries').where('id', '=', libraryId).execute();
  }

  /**
   * Takes a shelf out of everybody's sight: no members, a name that is free, its documents in the trash. What has no document
   * leaves nothing that could be restored.
   */
  async function moveToTrash(on: Database, { actor }: Caller, shelf: ShelfAccess): Promise<void> {
    const at = new Date(now()).toISOString();
    const first = await on
      .selectFrom('documents')
      .select('id')
      .where('shelf_id', '=', shelf.id)
      .limit(1)
      .executeTakeFirst();
    if (first === undefined) {
      await on.deleteFrom('shelves').where('id', '=', shelf.id).execute();
      return;
    }
    const members = await on
      .selectFrom('shelf_members')
      .select(['user_id', 'role'])
      .where('shelf_id', '=', shelf.id)
      .execute();
    const kept = JSON.stringify(Object.fromEntries(members.map(({ user_id, role }) => [user_id, role])));
    await on
      .insertInto('deleted_shelves')
      .values({ shelf_id: shelf.id, members: kept, deleted_at: at, deleted_by: actor.id })
      .execute();
    await on.deleteFrom('shelf_members').where('shelf_id', '=', shelf.id).execute();
    await on
      .updateTable('invitations')
      .set({ state: 'cancelled', answered_at: at })
      .where('shelf_id', '=', shelf.id)
      .where('state', '=', 'pending')
      .execute();
    await on
      .updateTable('documents')
      .set({ deleted: 1, deleted_at: at, deleted_by: actor.id })
      .where('shelf_id', '=', shelf.id)
      .where('deleted', '=', 0)
      .execute();
    // No name holds a slash, so this key is nobody's.
    await on
      .updateTable('shelves')
      .set({ name_key: `${nameKey(shelf.name)}/${shelf.id}`, document_count: 0 })
      .where('id', '=', shelf.id)
      .execute();
  }

  return {
    async rename(caller, libraryName, rawName) {
      const library = await owned(caller, libraryName);
      if (library.archived) throw new AppError('archived', 'the library is archived and read-only');
      const name = checkedName(rawName);
      if (name === library.name) return;
      await inTransaction(database, async (transaction) => {
        // The same name in other letters keeps its key.
        await transaction
          .deleteFrom('names')
          .where('kind', '=', 'library')
          .where('owner_id', '=', library.id)
          .execute();
        await claimName(transaction, name, 'library', library.id);
        await transaction
          .updateTable('libraries')
          .set({ name, name_key: nameKey(name) })
          .where('id', '=', library.id)
          .execute();
        await tellOfLibrary(transaction, caller, library, 'LIBRARY_RENAME', { old_name: library.name, new_name: name });
      });
      onRenamed(library.id);
    },
    async archive(caller, libraryName, action) {
      const library = await owned(caller, libraryName);
      const archived = action === 'archive';
      if (library.archived === archived) return;
      await inTransaction(database, async (transaction) => {
        await transaction
          .updateTable('libraries')
          .set({ archived: archived ? 1 : 0 })
          .where('id', '=', library.id)
          .execute();
        await tellOfLibrary(transaction, caller, library, archived ? 'LIBRARY_ARCHIVE' : 'LIBRARY_UNARCHIVE');
      });
    },
    async remove(caller, libraryName) {
      const library = await owned(caller, libraryName);
      await inTransaction(database, async (transaction) => {
        await tellOfLibrary(transaction, caller, library, 'LIBRARY_DELETE');
        await forgetLibrary(transaction, library.id);
      });
    },
    async transfer(caller, libraryName, username) {
      const library = await owned(caller, libraryName);
      await inTransaction(database, async (transaction) => {
        const heir = await transaction
          .selectFrom('names')
          .innerJoin('users', 'users.id', 'names.owner_id')
          .select(['users.id', 'users.username'])
          .where('names.key', '=', nameKey(username))
          .where('names.kind', '=', 'user')
          .executeTakeFirst();
        const members = await membersOfLibrary(transaction, library.id);
        if (heir === undefined || !members.includes(heir.id)) {
          throw new AppError('not-found', 'no member of the library has this user name');
        }
        if (heir.id === caller.actor.id) return;
        const shelves = await transaction
          .selectFrom('shelves')
          .select(({ fn }) => [
            fn.countAll<number>().as('count'),
            fn.sum<number | null>('document_count').as('documents'),
          ])
          .where('library_id', '=', library.id)
          .executeTakeFirstOrThrow();
        await plans.claim(transaction, heir.id, 'max_libraries', 1);
        await plans.claim(transaction, heir.id, 'max_shelves', Number(shelves.count));
        await plans.claim(transaction, heir.id, 'max_documents', Number(shelves.documents ?? 0));
        await transaction.updateTable('libraries').set({ owner_id: heir.id }).where('id', '=', library.id).execute();
        const inLibrary = transaction.selectFrom('shelves').select('id').where('library_id', '=', library.id);
        await transaction
          .deleteFrom('shelf_members')
          .where('user_id', '=', heir.id)
          .where('shelf_id', 'in', inLibrary)
          .execute();
        // Who was the owner stays as an editor.
        await transaction
          .updateTable('shelf_members')
          .set({ role: 'editor' })
          .where('role', '=', 'owner')
          .where('shelf_id', 'in', inLibrary)
          .execute();
        await transaction
          .insertInto('shelf_members')
          .columns(['shelf_id', 'user_id', 'role'])
          .expression(inLibrary.select(({ val }) => [val(heir.id).as('user_id'), val('owner' as const).as('role')]))
          .execute();
        await audit.record(transaction, caller.actor, caller.address, {
          action: 'library.transfer',
          target: { kind: 'library', id: library.id, name: library.name },
          libraryId: library.id,
          details: { to: heir.username ?? '' },
        });
      });
    },
    async renameShelf(caller, libraryName, shelfId, rawName) {
      const shelf = await access.shelf(caller.actor, libraryName, shelfId, MANAGE);
      const name = checkedName(rawName);
      if (name === shelf.name) return;
      await inTransaction(database, async (transaction) => {
        try {
          await transaction
            .updateTable('shelves')
            .set({ name, name_key: nameKey(name) })
            .where('id', '=', shelf.id)
            .execute();
        } catch (error) {
          throw shelfNameFault(error, name);
        }
        await tellOfShelf(transaction, caller, shelf, 'SHELF_RENAME', { old_name: shelf.name, new_name: name });
      });
      onRenamed(shelf.library_id);
    },
    async archiveShelf(caller, libraryName, shelfId, action) {
      const shelf = await access.shelf(caller.actor, libraryName, shelfId, MANAGE_ARCHIVED);
      const archived = action === 'archive' ? 1 : 0;
      await inTransaction(database, async (transaction) => {
        const changed = await transaction
          .updateTable('shelves')
          .set({ archived })
          .where('id', '=', shelf.id)
          .where('archived', '!=', archived)
          .executeTakeFirst();
        if (changed.numUpdatedRows === 0n) return;
        await tellOfShelf(transaction, caller, shelf, archived === 1 ? 'SHELF_ARCHIVE' : 'SHELF_UNARCHIVE');
      });
    },
    async removeShelf(caller, libraryName, shelfId) {
      const shelf = await access.shelf(caller.actor, libraryName, shelfId, MANAGE_ARCHIVED);
      await inTransaction(database, async (transaction) => {
        await tellOfShelf(transaction, caller, shelf, 'SHELF_DELETE');
        await moveToTrash(transaction, caller, shelf);
      });
      onDeleted(shelf.id);
    },
    async removeAllOf(transaction, userId) {
      const libraries = await transaction.selectFrom('libraries').select('id').where('owner_id', '=', userId).execute();
      for (const { id } of libraries) await forgetLibrary(transaction, id);
    },
  };
}
