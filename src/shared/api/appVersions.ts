import { z } from 'zod';
import { AppVersion, AppVersionDraft, Channel, Platform, ReleaseNoteType } from '../model/appVersion.ts';
import { Id } from '../model/common.ts';
import { call } from './call.ts';

const byId = z.object({ id: Id });

/** Where an installer is sent to, and where update clients look (the layout of electron-updater's generic provider). */
export const APP_VERSION_FILE = '/api/v1/appinfo/app-versions/{id}/files/{name}';
export const UPDATE_FEED = '/updates/{file}';

/** Versions of the desktop application (desktop-shell.md §7). */
export const appVersions = {
  list: call({
    method: 'GET',
    path: '/api/v1/appinfo/app-versions/',
    summary: 'All versions, newest first.',
    access: 'admin',
    query: z.object({
      page: z.coerce.number().int().min(1).default(1),
      page_size: z.coerce.number().int().min(1).max(100).default(20),
    }),
    response: z.object({ versions: z.array(AppVersion), count: z.number().int(), has_more: z.boolean() }),
    errors: [],
  }),
  create: call({
    method: 'POST',
    path: '/api/v1/appinfo/app-versions/',
    summary: 'Records a version; its installers are sent afterwards.',
    access: 'admin',
    once: true,
    body: AppVersionDraft,
    response: AppVersion,
    errors: ['conflict'],
  }),
  update: call({
    method: 'PUT',
    path: '/api/v1/appinfo/app-versions/{id}/',
    summary: 'Changes a version, or publishes it. What is published keeps its version, platform and files.',
    access: 'admin',
    params: byId,
    body: AppVersionDraft,
    response: AppVersion,
    errors: ['not-found', 'conflict'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/v1/appinfo/app-versions/{id}/',
    summary: 'Deletes a version with its installers.',
    access: 'admin',
    params: byId,
    response: z.object({ deleted: z.literal(true) }),
    errors: ['not-found'],
  }),
  latest: call({
    method: 'GET',
    path: '/api/v1/appinfo/app-versions/latest',
    summary: 'The newest published version of a platform and channel; null where there is none.',
    access: 'public',
    query: z.object({ platform: Platform.optional(), channel: Channel.default('latest') }),
    response: z.object({ version: AppVersion.nullable() }),
    errors: [],
  }),
  releaseNotes: call({
    method: 'GET',
    path: '/api/v1/appinfo/app-versions/{version}/release-notes/',
    summary: 'The notes of a published version.',
    access: 'public',
    params: z.object({ version: z.string().max(60) }),
    query: z.object({ platform: Platform.optional() }),
    response: z.object({ release_notes: z.string(), release_note_type: ReleaseNoteType }),
    errors: ['not-found'],
  }),
};
