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
}

type Place = 'home' | 'library' | 'shelf' | 'document' | 'comments' | 'share' | 'invitations';

interface Rule {
  readonly message: (words: NotificationWords) => string;
  readonly place: Place;
  readonly deleted: string;
}

const LIBRARY_GONE = 'This library has been deleted';
const SHELF_GONE = 'This shelf has been deleted';
const DOCUMENT_GONE = 'This document has been deleted';

/** All 18 types (web-and-phone.md §9): what is said, where it leads, and what is said when that is gone. */
const RULES: Readonly<Record<NotificationType, Rule>> = {
  LIBRARY_DELETE: {
    message: ({ actor, library }) => `${actor} deleted the library ${library}`,
    place: 'home',
    deleted: LIBRARY_GONE,
  },
  LIBRARY_ARCHIVE: {
    message: ({ actor, library }) => `${actor} archived the library ${library}`,
    place: 'library',
    deleted: LIBRARY_GONE,
  },
  LIBRARY_UNARCHIVE: {
    message: ({ actor, library }) => `${actor} brought the library ${library} back from the archive`,
    place: 'library',
    deleted: LIBRARY_GONE,
  },
  LIBRARY_RENAME: {
    message: (words) => `${words.actor} renamed the library ${words.old} to ${words.new}`,
    place: 'library',
    deleted: LIBRARY_GONE,
  },
  SHELF_DELETE: {
    message: ({ actor, shelf, library }) => `${actor} deleted the shelf ${shelf} of ${library}`,
    place: 'library',
    deleted: SHELF_GONE,
  },
  SHELF_ARCHIVE: {
    message: ({ actor, shelf }) => `${actor} archived the shelf ${shelf}`,
    place: 'shelf',
    deleted: SHELF_GONE,
  },
  SHELF_UNARCHIVE: {
    message: ({ actor, shelf }) => `${actor} brought the shelf ${shelf} back from the archive`,
    place: 'shelf',
    deleted: SHELF_GONE,
  },
  SHELF_RENAME: {
    message: (words) => `${words.actor} renamed the shelf ${words.old} to ${words.new}`,
    place: 'shelf',
    deleted: SHELF_GONE,
  },
  DOC_UPLOAD: {
    message: ({ actor, document, shelf }) => `${actor} added ${document} to ${shelf}`,
    place: 'document',
    deleted: DOCUMENT_GONE,
  },
  DOC_DELETE: {
    message: ({ actor, document, shelf }) => `${actor} deleted ${document} from ${shelf}`,
    place: 'shelf',
    deleted: DOCUMENT_GONE,
  },
  DOC_RESTORE: {
    message: ({ actor, document, shelf }) => `${actor} restored ${document} in ${shelf}`,
    place: 'document',
    deleted: DOCUMENT_GONE,
  },
  DOC_VERSION: {
    message: ({ actor, document }) => `${actor} made a new version of ${document}`,
    place: 'document',
    deleted: DOCUMENT_GONE,
  },
  DOC_RENAME: {
    message: (words) => `${words.actor} renamed ${words.old} to ${words.new}`,
    place: 'document',
    deleted: DOCUMENT_GONE,
  },
  SHARE_LINK_CREATE: {
    message: ({ actor, document, shelf }) => `${actor} made a share link to ${document === '' ? shelf : document}`,
    place: 'share',
    deleted: 'The shared document has been deleted',
  },
  SHELF_INVITE: {
    message: ({ actor, shelf, library }) => `${actor} invites you to the shelf ${shelf} of ${library}`,
    place: 'invitations',
    deleted: 'This invitation is no longer open',
  },
  SHELF_INVITE_ACCEPTED: {
    message: ({ actor, shelf }) => `${actor} accepted your invitation to ${shelf}`,
    place: 'shelf',
    deleted: SHELF_GONE,
  },
  SHELF_INVITE_DECLINED: {
    message: ({ actor, shelf }) => `${actor} declined your invitation to ${shelf}`,
    place: 'shelf',
    deleted: SHELF_GONE,
  },
  SHELF_COMMENT_ADD: {
    message: ({ actor, document, shelf }) => `${actor} commented on ${document === '' ? shelf : document}`,
    place: 'comments',
    deleted: SHELF_GONE,
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
      deletedMessage: 'This has been deleted',
    };
  }
  const { message, place, deleted } = RULES[type];
  return { message: message(words), key: type, words, link: linkTo(place, metadata), deletedMessage: deleted };
}
