import type { CommentsProps } from '../../api/comments.ts';
import type { Mentionable } from './mentions.ts';
import type { CommentActions } from './queries.ts';

/** What every comment of a list needs to know. */
export interface CommentsContext extends CommentsProps {
  readonly userId: string;
  readonly isOwner: boolean;
  /** Every member comments, unless the place is archived. */
  readonly canWrite: boolean;
  /** Who can be named: the other members. */
  readonly members: readonly Mentionable[];
  /** Names that stand out in a text: the reader's own too. */
  readonly usernames: readonly string[];
  /** Comments that were unread when the list was opened. */
  readonly newIds: ReadonlySet<string>;
  readonly actions: CommentActions;
}
