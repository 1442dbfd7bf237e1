import { account } from './account.ts';
import { admin, insight } from './admin.ts';
import { appVersions } from './appVersions.ts';
import { auth } from './auth.ts';
import { comments } from './comments.ts';
import { compare } from './compare.ts';
import { documents } from './documents.ts';
import { favorites } from './favorites.ts';
import { libraries, shelves } from './libraries.ts';
import { members } from './members.ts';
import { notices } from './notices.ts';
import { notifications } from './notifications.ts';
import { pdfExport } from './pdfExport.ts';
import { retention } from './retention.ts';
import { search } from './search.ts';
import { sharing } from './sharing.ts';
import { trash } from './trash.ts';
import { upload } from './upload.ts';

/** The HTTP contract: every validated call of the product, by area. */
export const api = {
  auth,
  account,
  libraries,
  shelves,
  documents,
  compare,
  upload,
  trash,
  comments,
  members,
  notifications,
  notices,
  favorites,
  appVersions,
  pdfExport,
  sharing,
  retention,
  admin,
  insight,
  search,
};
export type Api = typeof api;

export { streams } from './streams.ts';
