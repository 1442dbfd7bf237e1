import type { NotificationMetadata, NotificationType } from '../../shared/model/notification.ts';
import type { Database } from '../database/connection.ts';
import type { Tables } from '../database/tables.ts';

/** Something that happened, and who is to hear of it. */
export interface NotificationEvent {
  readonly type: NotificationType;
  readonly actorId: string;
  readonly target: { readonly kind: Tables['notifications']['target_kind']; readonly id: string };
  /** Names as they were at that time; who did it is added. */
  readonly metadata: Omit<NotificationMetadata, 'actor_username' | 'actor_image'>;
  /** User ids, or the shelf whose members hear of it. Who did it never hears of it. */
  readonly to: { readonly users: readonly string[] } | { readonly membersOf: string };
  /** Who of them was named by it, and hears of it also when they muted the place. */
  readonly mentioned?: readonly string[];
}

/** Stores notifications with what they tell of, in the caller's transaction, and shows them live once that is over. */
export interface Notifier {
  notify(on: Database, event: NotificationEvent): Promise<void>;
}
