import { z } from 'zod';
import { Id } from '../model/common.ts';
import { Library, Shelf } from '../model/library.ts';
import { call } from './call.ts';

/** The answer of both name checks: which rule is broken, or that the name is taken. */
export const NameCheck = z.object({ available: z.boolean(), problem: z.string().nullable() });

const byName = z.object({ name: z.string() });
const byShelf = z.object({ lib: z.string(), id: Id });
const archiveAction = z.object({ action: z.enum(['archive', 'unarchive']) });
/** Archived libraries and shelves are left out unless they are asked for (field.md row 8). */
const archivedFilter = z.object({ archived: z.enum(['exclude', 'include', 'only']).default('exclude') });

/** Libraries: family `api/v1/libraries/`. */
export const libraries = {
  list: call({
    method: 'GET',
    path: '/api/v1/libraries/',
    summary: 'The libraries that the caller owns or is a member of.',
    access: 'user',
    query: archivedFilter,
    response: z.object({ libraries: z.array(Library) }),
    errors: [],
  }),
  listWithShelves: call({
    method: 'GET',
    path: '/api/v1/libraries/library-and-shelf-info/',
    summary: 'The same with their shelves, for navigation.',
    access: 'user',
    query: archivedFilter,
    response: z.object({ libraries: z.array(Library.required({ shelves: true })) }),
    errors: [],
  }),
  get: call({
    method: 'GET',
    path: '/api/v1/libraries/{name}',
    summary: 'One library with its shelves.',
    access: 'user',
    params: byName,
    response: Library.required({ shelves: true }),
    errors: ['not-found'],
  }),
  create: call({
    method: 'POST',
    path: '/api/v1/libraries/create/',
    once: true,
    summary: 'Makes a library owned by the caller.',
    access: 'user',
    body: z.object({ name: z.string() }),
    response: Library,
    errors: ['name-invalid', 'name-taken', 'plan-limit-reached'],
  }),
  update: call({
    method: 'PUT',
    path: '/api/v1/libraries/{name}/update/',
    once: true,
    summary: 'Renames a library. Only its owner may.',
    access: 'user',
    params: byName,
    body: z.object({ name: z.string() }),
    response: Library,
    errors: ['not-found', 'archived', 'name-invalid', 'name-taken'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/v1/libraries/{name}/delete/',
    once: true,
    summary: 'Deletes a library with all its shelves, documents and versions, for good. Only its owner may.',
    access: 'user',
    params: byName,
    response: z.object({ deleted: z.literal(true) }),
    errors: ['not-found'],
  }),
  archive: call({
    method: 'POST',
    path: '/api/v1/libraries/{name}/archive/',
    summary: 'Makes a library read-only, or writable again. Only its owner may.',
    access: 'user',
    params: byName,
    body: archiveAction,
    response: Library,
    errors: ['not-found'],
  }),
  transfer: call({
    method: 'POST',
    path: '/api/v1/libraries/{name}/transfer/',
    summary: 'Hands a library over to a member of one of its shelves, whose plan counts from then on.',
    access: 'user',
    params: byName,
    body: z.object({ username: z.string().max(200) }),
    response: Library,
    errors: ['not-found', 'plan-limit-reached'],
  }),
  checkName: call({
    method: 'GET',
    path: '/api/v1/libraries/check-library-name/',
    summary: 'Whether a library name may be used.',
    access: 'user',
    query: z.object({ name: z.string().max(500) }),
    response: NameCheck,
    errors: [],
  }),
  shelfCount: call({
    method: 'GET',
    path: '/api/v1/libraries/{name}/shelf-count/',
    summary: 'How many shelves of a library the caller can see, and how many the plan of its owner has room for.',
    access: 'user',
    params: byName,
    response: z.object({
      count: z.number().int(),
      /** Shelves in all libraries of the owner; null for anybody else. */
      used: z.number().int().nullable(),
      max_shelves: z.number().int().nullable(),
    }),
    errors: ['not-found'],
  }),
};

/** Shelves: family `api/v1/library/{lib}/`. */
export const shelves = {
  list: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/list/',
    summary: 'The shelves of a library that the caller can read.',
    access: 'user',
    params: z.object({ lib: z.string() }),
    query: archivedFilter,
    response: z.object({ shelves: z.array(Shelf) }),
    errors: ['not-found'],
  }),
  create: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/create/',
    once: true,
    summary: 'Makes a shelf in a library of the caller.',
    access: 'user',
    params: z.object({ lib: z.string() }),
    body: z.object({ name: z.string() }),
    response: Shelf,
    errors: ['not-found', 'archived', 'name-invalid', 'name-taken', 'plan-limit-reached'],
  }),
  checkName: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/check-name/',
    summary: 'Whether a shelf name may be used in this library.',
    access: 'user',
    params: z.object({ lib: z.string() }),
    query: z.object({ name: z.string().max(500) }),
    response: NameCheck,
    errors: ['not-found'],
  }),
  update: call({
    method: 'PUT',
    path: '/api/v1/library/{lib}/shelf/{id}/update/',
    once: true,
    summary: 'Renames a shelf. Only the owner may.',
    access: 'user',
    params: byShelf,
    body: z.object({ name: z.string() }),
    response: Shelf,
    errors: ['not-found', 'archived', 'name-invalid', 'name-taken'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/v1/library/{lib}/shelf/{id}/delete/',
    once: true,
    summary: 'Deletes a shelf with all its documents and versions, for good. Only the owner may.',
    access: 'user',
    params: byShelf,
    response: z.object({ deleted: z.literal(true) }),
    errors: ['not-found'],
  }),
  archive: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/archive/',
    summary: 'Makes a shelf read-only, or writable again. Only the owner may.',
    access: 'user',
    params: byShelf,
    body: archiveAction,
    response: Shelf,
    errors: ['not-found'],
  }),
};
