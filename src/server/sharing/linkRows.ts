import { createHash } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import type { ShareEnd, ShareLinkState } from '../../shared/model/shareLink.ts';
import type { Database } from '../database/connection.ts';

/** Links with where they stand, what they point at, and what their creator may there today. */
export function linkRows(on: Database) {
  return on
    .selectFrom('share_links')
    .innerJoin('shelves', 'shelves.id', 'share_links.shelf_id')
    .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
    .innerJoin('users', 'users.id', 'share_links.created_by')
    .leftJoin('shelf_members', (join) =>
      join
        .onRef('shelf_members.shelf_id', '=', 'share_links.shelf_id')
        .onRef('shelf_members.user_id', '=', 'share_links.created_by'),
    )
    .leftJoin('documents', 'documents.id', 'share_links.document_id')
    .leftJoin('versions', 'versions.id', 'share_links.version_id')
    .selectAll('share_links')
    .select([
      'shelves.name as shelf',
      'libraries.id as library_id',
      'libraries.name as library',
      'users.username as creator',
      'users.email as creator_email',
      'users.disabled as creator_disabled',
      'shelf_members.role as creator_role',
      'documents.name as document_name',
      'documents.deleted as document_deleted',
      'versions.name as version_name',
      'versions.number as version_number',
    ]);
}
export type LinkRow = Awaited<ReturnType<ReturnType<typeof linkRows>['executeTakeFirstOrThrow']>>;

/** Whether the creator may still share the shelf: a link lives no longer than that. */
export function isBacked(row: LinkRow): boolean {
  return row.creator_disabled === 0 && (row.creator_role === 'owner' || row.creator_role === 'editor');
}

/** Whether a link opens for somebody new. */
export function stateOf(row: LinkRow, now: number): ShareLinkState {
  if (row.revoked_at !== null || !isBacked(row)) return 'revoked';
  if (row.expires_at !== null && Date.parse(row.expires_at) <= now) return 'expired';
  return row.max_views !== null && row.view_count >= row.max_views ? 'used-up' : 'active';
}

/** What a link throws that opens for nobody. It says why: whoever has its address may know, and asks for the right thing. */
export function linkEnded(reason: ShareEnd): AppError {
  return new AppError('gone', `the link does not open any more: ${reason}`, { details: { reason } });
}

/** Whom a link lets in by address; null where it asks for none. */
export function allowedEmails(row: Pick<LinkRow, 'allowed_emails'>): string[] | null {
  return row.allowed_emails === null ? null : (JSON.parse(row.allowed_emails) as string[]);
}

/** Whether an address, in the form in which addresses are compared, is on a link's list or of a domain on it. */
export function isAllowed(row: Pick<LinkRow, 'allowed_emails'>, email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@'));
  return (allowedEmails(row) ?? []).some((each) => each === email || each === domain);
}

/** A mark of the password that a link has now: who proved another one has to prove this one. */
export function passwordMark(row: Pick<LinkRow, 'password_hash'>): string | null {
  return row.password_hash === null
    ? null
    : createHash('sha256').update(row.password_hash).digest('base64url').slice(0, 16);
}
