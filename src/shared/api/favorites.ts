import { z } from 'zod';
import { Id, Timestamp } from '../model/common.ts';
import { call } from './call.ts';

const Kind = z.enum(['library', 'shelf', 'document']);
const target = z.object({ kind: Kind, id: Id });

/** A favourite with where it is. */
export const Favorite = z.object({
  kind: Kind,
  id: Id,
  name: z.string(),
  library: z.string(),
  shelf: z.string().nullable(),
  shelf_id: Id.nullable(),
  created_at: Timestamp,
});
export type Favorite = z.infer<typeof Favorite>;

/** Favourites (decisions.md §11). */
export const favorites = {
  list: call({
    method: 'GET',
    path: '/api/v1/favorites/',
    summary: "The caller's favourites that are still there for them, newest first.",
    access: 'user',
    response: z.object({ favorites: z.array(Favorite) }),
    errors: [],
  }),
  add: call({
    method: 'PUT',
    path: '/api/v1/favorites/{kind}/{id}/',
    summary: 'Makes something a favourite.',
    access: 'user',
    params: target,
    response: z.object({ favorite: z.literal(true) }),
    errors: ['not-found'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/v1/favorites/{kind}/{id}/',
    summary: 'Makes something no favourite any more.',
    access: 'user',
    params: target,
    response: z.object({ favorite: z.literal(false) }),
    errors: [],
  }),
};
