import { auth } from './auth.ts';
import { documents } from './documents.ts';
import { libraries, shelves } from './libraries.ts';
import { search } from './search.ts';
import { trash } from './trash.ts';
import { upload } from './upload.ts';

/** The HTTP contract: every validated call of the product, by area. */
export const api = { auth, libraries, shelves, documents, upload, trash, search };
export type Api = typeof api;
