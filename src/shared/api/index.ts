import { auth } from './auth.ts';
import { documents, upload } from './documents.ts';
import { libraries, shelves } from './libraries.ts';
import { search } from './search.ts';

/** The HTTP contract: every validated call of the product, by area. */
export const api = { auth, libraries, shelves, documents, upload, search };
export type Api = typeof api;
