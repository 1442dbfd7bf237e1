import { randomUUID } from 'node:crypto';
import type { ErrorDetails } from '../../shared/errors.ts';
import type { Database } from '../database/connection.ts';
import type { Actor } from '../http/context.ts';

/** What somebody did that others may have to account for: deletions, shares, roles, accounts, settings. */
export interface AuditEntry {
  /** In the form `noun.verb`: `shelf.delete`, `member.role`, `share-link.create`. */
  readonly action: string;
  readonly target: { readonly kind: string; readonly id: string; readonly name: string };
  /** Whose owner may read the entry too; null for what concerns the server alone. */
  readonly libraryId: string | null;
  /** Never secrets, never document text. */
  readonly details?: ErrorDetails;
}

/** The audit log (field.md row 61). Entries are written with what they tell of, both or neither, and never changed. */
export interface Audit {
  record(on: Database, actor: Actor | null, address: string, entry: AuditEntry): Promise<void>;
}

/** Makes the log. */
export function createAudit(now: () => number): Audit {
  return {
    async record(on, actor, address, { action, target, libraryId, details = {} }) {
      const user =
        actor === null
          ? undefined
          : await on.selectFrom('users').select(['username', 'email']).where('id', '=', actor.id).executeTakeFirst();
      await on
        .insertInto('audit_log')
        .values({
          id: randomUUID(),
          at: new Date(now()).toISOString(),
          actor_id: actor?.id ?? null,
          actor_name: user?.username ?? user?.email ?? '',
          action,
          target_kind: target.kind,
          target_id: target.id,
          target_name: target.name,
          library_id: libraryId,
          address,
          details: JSON.stringify(details),
        })
        .execute();
    },
  };
}
