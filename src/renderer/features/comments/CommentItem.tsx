import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Comment } from '../../../shared/model/comment.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { splitByRanges } from '../../ui/ranges.ts';
import { When } from '../../ui/When.tsx';
import { Composer } from './Composer.tsx';
import type { CommentsContext } from './context.ts';
import { mentionRanges } from './mentions.ts';
import { PageSince } from './PageSince.tsx';

interface TextProps {
  readonly text: string;
  readonly usernames: readonly string[];
}

/** The text as it was written. Members that it names stand out; nothing in it is taken for markup. */
function CommentText({ text, usernames }: TextProps) {
  return (
    <p className="comment__text">
      {splitByRanges(text, mentionRanges(text, usernames)).map((piece) =>
        piece.marked ? (
          <span key={piece.at} className="comment__mention">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </p>
  );
}

interface PlaceProps {
  readonly comment: Comment;
  readonly context: CommentsContext;
}

/** What a comment is on, as far as the list does not say it already. */
function Place({ comment, context: { library, shelfId, document, version } }: PlaceProps) {
  const { t } = useTranslation();
  const { document_id, document_name, version_id, version_number, written_on_current } = comment;
  const isOtherVersion = version_id !== null && version_number !== null && version_id !== version?.id;
  if (document_id === null || document_name === null || (document !== null && !isOtherVersion)) return null;
  return (
    <span className="comment__place">
      {document === null && (
        <Link href={paths.comments(library, shelfId, document_id)} className="comment__document" title={document_name}>
          <FileIcon name={document_name} />
          <span className="truncated">{splitName(document_name).base}</span>
        </Link>
      )}
      {isOtherVersion && (
        <Link
          href={paths.version(library, shelfId, version_id)}
          className={written_on_current === false ? 'badge badge--warning' : 'badge'}
          title={written_on_current === false ? t('talk.onOldVersion', { number: version_number }) : undefined}
        >
          {t('talk.onVersion', { number: version_number })}
        </Link>
      )}
    </span>
  );
}

export interface CommentItemProps {
  readonly comment: Comment;
  readonly context: CommentsContext;
  readonly onRemove: () => void;
}

/** One comment, and the form in its place while it is edited. */
export function CommentItem({ comment, context, onRemove }: CommentItemProps) {
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const { author } = comment;
  const { userId, isOwner, canWrite, members, usernames, newIds, actions } = context;
  const name = author === null ? t('talk.gone') : author.name || author.username;
  const isOwn = author?.user_id === userId;
  return (
    <div className="comment">
      <Avatar name={name} {...(author === null ? {} : { username: author.username })} />
      <div className="comment__body">
        <div className="comment__head">
          <strong className="comment__author" title={author?.username}>
            {name}
          </strong>
          <span className="comment__when muted">
            <When moment={comment.created_at} />
            {comment.updated_at !== comment.created_at && ` · ${t('talk.edited')}`}
          </span>
          {newIds.has(comment.id) && <span className="badge badge--accent">{t('talk.newComment')}</span>}
          {canWrite && (isOwn || isOwner) && !isEditing && (
            <Menu
              trigger={
                <button type="button" className="icon-button comment__menu" aria-label={t('talk.actions', { name })}>
                  <Ellipsis />
                </button>
              }
            >
              {isOwn && (
                <MenuItem onSelect={() => setEditing(true)}>
                  <Pencil aria-hidden="true" />
                  {t('talk.edit')}
                </MenuItem>
              )}
              <MenuItem onSelect={onRemove}>
                <Trash2 aria-hidden="true" />
                {t('talk.delete')}
              </MenuItem>
            </Menu>
          )}
        </div>
        {comment.parent_id === null && <Place comment={comment} context={context} />}
        {context.document !== null && <PageSince comment={comment} />}
        {isEditing ? (
          <Composer
            label={t('talk.editLabel')}
            placeholder={t('talk.editLabel')}
            verb={t('talk.save')}
            draft={`edit:${comment.id}`}
            initial={comment.comment}
            members={members}
            onSubmit={(text) => actions.edit(comment.id, text)}
            onClose={() => setEditing(false)}
          />
        ) : (
          <CommentText text={comment.comment} usernames={usernames} />
        )}
      </div>
    </div>
  );
}
