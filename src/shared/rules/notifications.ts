import { NOTIFICATION_TYPES, type NotificationMetadata, type NotificationType } from '../model/notification.ts';
import { truncateMiddle } from './format.ts';

/** What a notification's words are filled with: names, cut as lists show them. */
export type NotificationWords = Readonly<Record<'actor' | 'library' | 'shelf' | 'document' | 'old' | 'new', string>>;

/** A notification in the words of English, with what another language needs to say it in its own. */
export interface NotificationText {
  readonly message: string;
  /** Key of the catalogue: the type, or `unknown`. */
  readonly key: NotificationType | 'unknown';
  readonly words: NotificationWords;
  /** Path and query inside the application. */
  readonly link: string;
  /** What is said instead of going there once the target is gone (web-and-phone.md §8). */
  readonly deletedMessage: string;
  /** Key of the catalogue for it. */
  readonly deletedKey: DeletedKey;
}

/** What a notification may have led to, as it is named once it is gone. */
export type DeletedKey = 'library' | 'shelf' | 'document' | 'shared' | 'invitation' | 'unknown';

type Place = 'home' | 'library' | 'shelf' | 'document' | 'comments' | 'share' | 'invitations';

interface Rule {
  readonly message: (words: NotificationWords) => string;
  readonly place: Place;
  readonly deleted: Exclude<DeletedKey, 'unknown'>;
}

const DELETED: Readonly<Record<DeletedKey, string>> = {
  library: 'This library has been deleted',
  shelf: 'This shelf has been deleted',
  document: 'This document has been deleted',
  shared: 'The shared document has been deleted',
  invitation: 'This invitation is no longer open',
  unknown: 'This has been deleted',
};

/** All 18 types (web-and-phone.md §9): what is said, where it leads, and what is said when that is gone. */
const RULES: Readonly<Record<NotificationType, Rule>> = {
  LIBRARY_DELETE: {
    message: ({ actor, library }) => `${actor} deleted the library ${library}`,
    place: 'home',
    deleted: 'library',
  },
  LIBRARY_ARCHIVE: {
    message: ({ actor, library }) => `${actor} archived the library ${library}`,
    place: 'library',
    deleted: 'library',
  },
  LIBRARY_UNARCHIVE: {
    message: ({ actor, library }) => `${actor} brought the library ${library} back from the archive`,
    place: 'library',
    deleted: 'library',
  },
  LIBRARY_RENAME: {
    message: (words) => `${words.actor} renamed the library ${words.old} to ${words.new}`,
    place: 'library',
    deleted: 'library',
  },
  SHELF_DELETE: {
    message: ({ actor, shelf, library }) => `${actor} deleted the shelf ${shelf} of ${library}`,
    place: 'library',
    deleted: 'shelf',
  },
  SHELF_ARCHIVE: {
    message: ({ actor, shelf }) => `${actor} archived the shelf ${shelf}`,
    place: 'shelf',
    deleted: 'shelf',
  },
  SHELF_UNARCHIVE: {
    message: ({ actor, shelf }) => `${actor} brought the shelf ${shelf} back from the archive`,
    place: 'shelf',
    deleted: 'shelf',
  },
  SHELF_RENAME: {
    message: (words) => `${words.actor} renamed the shelf ${words.old} to ${words.new}`,
    place: 'shelf',
    deleted: 'shelf',
  },
  DOC_UPLOAD: {
    message: ({ actor, document, shelf }) => `${actor} added ${document} to ${shelf}`,
    place: 'document',
    deleted: 'document',
  },
  DOC_DELETE: {
    message: ({ actor, document, shelf }) => `${actor} deleted ${document} from ${shelf}`,
    place: 'shelf',
    deleted: 'document',
  },
  DOC_RESTORE: {
    message: ({ actor, document, shelf }) => `${actor} restored ${document} in ${shelf}`,
    place: 'document',
    deleted: 'document',
  },
  DOC_VERSION: {
    message: ({ actor, document }) => `${actor} made a new version of ${document}`,
    place: 'document',
    deleted: 'document',
  },
  DOC_RENAME: {
    message: (words) => `${words.actor} renamed ${words.old} to ${words.new}`,
    place: 'document',
    deleted: 'document',
  },
  SHARE_LINK_CREATE: {
    message: ({ actor, document, shelf }) => `${actor} made a share link to ${document === '' ? shelf : document}`,
    place: 'share',
    deleted: 'shared',
  },
  SHELF_INVITE: {
    message: ({ actor, shelf, library }) => `${actor} invites you to the shelf ${shelf} of ${library}`,
    place: 'invitations',
    deleted: 'invitation',
  },
  SHELF_INVITE_ACCEPTED: {
    message: ({ actor, shelf }) => `${actor} accepted your invitation to ${shelf}`,
    place: 'shelf',
    deleted: 'shelf',
  },
  SHELF_INVITE_DECLINED: {
    message: ({ actor, shelf }) => `${actor} declined your invitation to ${shelf}`,
    place: 'shelf',
    deleted: 'shelf',
  },
  SHELF_COMMENT_ADD: {
    message: ({ actor, document, shelf }) => `${actor} commented on ${document === '' ? shelf : document}`,
    place: 'comments',
    deleted: 'shelf',
  },
};

/** Whether a name can stand as a segment of a path; dots alone would be taken for a step, and no library has such a name. */
const isSegment = (name: string | undefined) => name !== undefined && name !== '' && !/^\.{1,2}$/u.test(name);

/** Half a surrogate pair has no encoding, and must not keep the rest of a list from being shown. */
const encoded = (part: string) => encodeURIComponent(part.toWellFormed());

/** Links are put together from parts, so no name can lead out of the application (decisions.md §12). */
function linkTo(place: Place, { library_name = '', shelf_id, document_id }: NotificationMetadata): string {
  if (place === 'invitations') return '/settings?tab=invitations';
  if (place === 'home' || !isSegment(library_name)) return '/';
  const library = `/${encoded(library_name)}`;
  if (place === 'library' || shelf_id === undefined || !isSegment(shelf_id)) return library;
  const shelf = `${library}/${encoded(shelf_id)}`;
  const document = document_id === undefined ? '' : `document=${encoded(document_id)}`;
  if (place === 'share') return `${shelf}/share`;
  if (place === 'comments') return `${shelf}?tab=comments${document === '' ? '' : `&${document}`}`;
  return place === 'document' && document !== '' ? `${shelf}?${document}` : shelf;
}

const isKnown = (type: string): type is NotificationType => (NOTIFICATION_TYPES as readonly string[]).includes(type);

/** What a notification says and where it leads: one table for server, web, phone and desktop (web-and-phone.md §3). */
export function notificationText(type: string, metadata: NotificationMetadata): NotificationText {
  const cut = (name: string | undefined) => truncateMiddle(name ?? '', 20);
  const words: NotificationWords = {
    actor: cut(metadata.actor_username),
    library: cut(metadata.library_name),
    shelf: cut(metadata.shelf_name),
    document: cut(metadata.document_name?.split('/').at(-1)),
    old: cut(metadata.old_name),
    new: cut(metadata.new_name),
  };
  if (!isKnown(type)) {
    return {
      message: 'Unknown notification type',
      key: 'unknown',
      words,
      link: '/',
      deletedMessage: DELETED.unknown,
      deletedKey: 'unknown',
    };
  }
  const { message, place, deleted } = RULES[type];
  return {
    message: message(words),
    key: type,
    words,
    link: linkTo(place, metadata),
    deletedMessage: DELETED[deleted],
    deletedKey: deleted,
  };
}
