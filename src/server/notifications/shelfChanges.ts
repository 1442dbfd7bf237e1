import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';

/** Documents or members of a shelf changed, by whoever it was: also where nobody is notified of it. */
export interface ShelfChange {
  readonly type: 'commit' | 'members';
  readonly shelf_id: string;
}

/** Finds what changed on shelves by the rows that tell of it: commits, and the audit log's entries on members. */
export interface ShelfChanges {
  /** What became visible since `from`, to each person whom it concerns; nothing of it twice. */
  since(from: string): Promise<readonly { readonly userId: string; readonly change: ShelfChange }[]>;
  /** Nobody listens: what was told before is over. */
  forget(): void;
}

interface Row {
  readonly id: string;
  readonly at: string;
  readonly change: ShelfChange;
  /** The user name of somebody who is no member any more and is told all the same. */
  readonly leaver: string | null;
}

const LEAVING = new Set(['member.leave', 'member.remove']);

function leaverOf({ action, details }: { readonly action: string; readonly details: string }): string | null {
  const { who } = JSON.parse(details) as { readonly who?: unknown };
  return LEAVING.has(action) && typeof who === 'string' ? who : null;
}

/** Makes it. */
export function createShelfChanges(database: Database): ShelfChanges {
  const told = new Map<string, string>();

  async function rowsSince(from: string): Promise<readonly Row[]> {
    const commits = await database
      .selectFrom('commits')
      .select(['hash', 'shelf_id', 'created_at'])
      .where('created_at', '>', from)
      .execute();
    const entries = await database
      .selectFrom('audit_log')
      .select(['id', 'at', 'action', 'target_id', 'details'])
      .where('at', '>', from)
      .where('target_kind', '=', 'shelf')
      .where('action', 'like', 'member.%')
      .execute();
    return [
      ...commits.map(({ hash, shelf_id, created_at }): Row => {
        return { id: hash, at: created_at, change: { type: 'commit', shelf_id }, leaver: null };
      }),
      ...entries.map((entry): Row => {
        const change = { type: 'members', shelf_id: entry.target_id } as const;
        return { id: entry.id, at: entry.at, change, leaver: leaverOf(entry) };
      }),
    ];
  }

  /** The members of each of some shelves. */
  async function membersOf(shelfIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const members = new Map<string, string[]>();
    for (const ids of inChunks(shelfIds)) {
      const rows = await database
        .selectFrom('shelf_members')
        .select(['shelf_id', 'user_id'])
        .where('shelf_id', 'in', ids)
        .execute();
      for (const { shelf_id, user_id } of rows) members.set(shelf_id, [...(members.get(shelf_id) ?? []), user_id]);
    }
    return members;
  }

  async function idsOf(usernames: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const ids = new Map<string, string>();
    for (const names of inChunks(usernames)) {
      const rows = await database
        .selectFrom('users')
        .select(['id', 'username'])
        .where('username', 'in', names)
        .execute();
      for (const { id, username } of rows) if (username !== null) ids.set(username, id);
    }
    return ids;
  }

  return {
    async since(from) {
      for (const [id, at] of told) if (at <= from) told.delete(id);
      const rows = (await rowsSince(from)).filter(({ id }) => !told.has(id));
      if (rows.length === 0) return [];
      for (const { id, at } of rows) told.set(id, at);
      const members = await membersOf([...new Set(rows.map(({ change }) => change.shelf_id))]);
      const leavers = await idsOf([...new Set(rows.flatMap(({ leaver }) => leaver ?? []))]);
      const concerned = rows.flatMap(({ change, leaver }) => {
        const left = leaver === null ? undefined : leavers.get(leaver);
        const users = [...(members.get(change.shelf_id) ?? []), ...(left === undefined ? [] : [left])];
        return users.map((userId) => ({ userId, change }));
      });
      const once = new Map(
        concerned.map((each) => [`${each.userId} ${each.change.type} ${each.change.shelf_id}`, each]),
      );
      return [...once.values()];
    },
    forget: () => told.clear(),
  };
}
