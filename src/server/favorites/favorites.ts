import type { favorites as calls, Favorite } from '../../shared/api/favorites.ts';
import { AppError } from '../../shared/errors.ts';
import { type Access, READ } from '../access/access.ts';
import type { Database } from '../database/connection.ts';
import { type Actor, actorOf } from '../http/context.ts';
import type { ApiHandlers } from '../http/mount.ts';

/** More of a kind are no favourites any more; the newest are listed. */
const SHOWN_EACH = 500;

/** Handlers of the favourites' calls. What somebody lost sight of is left out, and comes back with the access to it. */
export function favoritesHandlers(
  database: Database,
  access: Access,
  now: () => number,
): ApiHandlers<{ favorites: typeof calls }>['favorites'] {
  const starred = (actor: Actor, kind: Favorite['kind']) =>
    database.selectFrom('favorites').where('favorites.user_id', '=', actor.id).where('favorites.kind', '=', kind);

  async function refuseUnseen(actor: Actor, kind: Favorite['kind'], id: string): Promise<void> {
    if (kind === 'shelf') await access.shelfById(actor, id, READ);
    else if (kind === 'document') {
      if ((await access.document(actor, id, READ)).deleted) throw new AppError('not-found', 'it is in the trash');
    } else {
      const row = await database.selectFrom('libraries').select('name').where('id', '=', id).executeTakeFirst();
      if (row === undefined) throw new AppError('not-found', 'there is no such library');
      await access.library(actor, row.name);
    }
  }

  async function libraries(actor: Actor): Promise<Favorite[]> {
    const rows = await starred(actor, 'library')
      .innerJoin('libraries', 'libraries.id', 'favorites.target_id')
      .select(['libraries.id', 'libraries.name', 'favorites.created_at'])
      .where(({ or, eb, exists, selectFrom }) =>
        or([
          eb('libraries.owner_id', '=', actor.id),
          exists(
            selectFrom('shelf_members')
              .innerJoin('shelves', 'shelves.id', 'shelf_members.shelf_id')
              .select('shelves.id')
              .whereRef('shelves.library_id', '=', 'libraries.id')
              .where('shelf_members.user_id', '=', actor.id),
          ),
        ]),
      )
      .orderBy('favorites.created_at', 'desc')
      .limit(SHOWN_EACH)
      .execute();
    return rows.map((row) => ({ ...row, kind: 'library', library: row.name, shelf: null, shelf_id: null }));
  }

  async function shelves(actor: Actor): Promise<Favorite[]> {
    const rows = await starred(actor, 'shelf')
      .innerJoin('shelves', 'shelves.id', 'favorites.target_id')
      .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
      .innerJoin('shelf_members', (join) =>
        join.onRef('shelf_members.shelf_id', '=', 'shelves.id').on('shelf_members.user_id', '=', actor.id),
      )
      .select(['shelves.id', 'shelves.name', 'libraries.name as library', 'favorites.created_at'])
      .orderBy('favorites.created_at', 'desc')
      .limit(SHOWN_EACH)
      .execute();
    return rows.map((row) => ({ ...row, kind: 'shelf', shelf: row.name, shelf_id: row.id }));
  }

  async function documents(actor: Actor): Promise<Favorite[]> {
    const rows = await starred(actor, 'document')
      .innerJoin('documents', 'documents.id', 'favorites.target_id')
      .innerJoin('shelves', 'shelves.id', 'documents.shelf_id')
      .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
      .innerJoin('shelf_members', (join) =>
        join.onRef('shelf_members.shelf_id', '=', 'shelves.id').on('shelf_members.user_id', '=', actor.id),
      )
      .select(['documents.id', 'documents.name', 'libraries.name as library', 'favorites.created_at'])
      .select(['shelves.name as shelf', 'shelves.id as shelf_id'])
      .where('documents.deleted', '=', 0)
      .orderBy('favorites.created_at', 'desc')
      .limit(SHOWN_EACH)
      .execute();
    return rows.map((row) => ({ ...row, kind: 'document' }));
  }

  return {
    async list(_input, context) {
      const actor = actorOf(context);
      const all = [...(await libraries(actor)), ...(await shelves(actor)), ...(await documents(actor))];
      return { favorites: all.sort((a, b) => (a.created_at < b.created_at ? 1 : -1)) };
    },
    async add({ params }, context) {
      const actor = actorOf(context);
      await refuseUnseen(actor, params.kind, params.id);
      const created_at = new Date(now()).toISOString();
      await database
        .insertInto('favorites')
        .values({ user_id: actor.id, kind: params.kind, target_id: params.id, created_at })
        .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'target_id']).doNothing())
        .execute();
      return { favorite: true };
    },
    async remove({ params }, context) {
      await database
        .deleteFrom('favorites')
        .where('user_id', '=', actorOf(context).id)
        .where('kind', '=', params.kind)
        .where('target_id', '=', params.id)
        .execute();
      return { favorite: false };
    },
  };
}
