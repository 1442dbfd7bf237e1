import { z } from 'zod';
import { Library, Shelf } from '../model/library.ts';
import { call } from './call.ts';

/** The answer of both name checks: which rule is broken, or that the name is taken. */
export const NameCheck = z.object({ available: z.boolean(), problem: z.string().nullable() });

/** Libraries: family `api/v1/libraries/`. */
export const libraries = {
  list: call({
    method: 'GET',
    path: '/api/v1/libraries/',
    summary: 'The libraries that the caller owns or is a member of.',
    access: 'user',
    response: z.object({ libraries: z.array(Library) }),
    errors: [],
  }),
  listWithShelves: call({
    method: 'GET',
    path: '/api/v1/libraries/library-and-shelf-info/',
    summary: 'The same with their shelves, for navigation.',
    access: 'user',
    response: z.object({ libraries: z.array(Library.required({ shelves: true })) }),
    errors: [],
  }),
  get: call({
    method: 'GET',
    path: '/api/v1/libraries/{name}',
    summary: 'One library with its shelves.',
    access: 'user',
    params: z.object({ name: z.string() }),
    response: Library.required({ shelves: true }),
    errors: ['not-found'],
  }),
  create: call({
    method: 'POST',
    path: '/api/v1/libraries/create/',
    summary: 'Makes a library owned by the caller.',
    access: 'user',
    body: z.object({ name: z.string() }),
    response: Library,
    errors: ['name-invalid', 'name-taken', 'plan-limit-reached'],
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
};

/** Shelves: family `api/v1/library/{lib}/`. */
export const shelves = {
  list: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/list/',
    summary: 'The shelves of a library that the caller can read.',
    access: 'user',
    params: z.object({ lib: z.string() }),
    response: z.object({ shelves: z.array(Shelf) }),
    errors: ['not-found'],
  }),
  create: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/create/',
    summary: 'Makes a shelf in a library of the caller.',
    access: 'user',
    params: z.object({ lib: z.string() }),
    body: z.object({ name: z.string() }),
    response: Shelf,
    errors: ['not-found', 'name-invalid', 'name-taken', 'plan-limit-reached'],
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
};
