import {
  Download,
  Ellipsis,
  FileDown,
  FileText,
  History,
  Lock,
  LockOpen,
  MessageSquare,
  Pencil,
  Share2,
  Trash2,
} from 'lucide-react';
import { Link } from 'wouter';
import { fillPath } from '../../../shared/api/call.ts';
import { STREAM_ROUTES } from '../../../shared/api/documents.ts';
import type { ShelfDocument } from '../../../shared/model/library.ts';
import { useSearch } from '../../app/place.ts';
import { shareSearch } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { splitName } from '../../ui/fileKind.ts';
import { Menu, MenuItem, MenuLine } from '../../ui/Menu.tsx';

/** What the person may do on the shelf, and who they are: locks are theirs or another's. */
export interface ShelfRights {
  readonly canWrite: boolean;
  readonly isOwner: boolean;
  readonly userId: string;
}

/** What is done with one document by its menu. */
export interface MenuActions {
  readonly rename: (document: ShelfDocument) => void;
  readonly remove: (document: ShelfDocument) => void;
  readonly exportPdf: (document: ShelfDocument) => void;
  readonly versions: (document: ShelfDocument) => void;
  readonly comments: (document: ShelfDocument) => void;
  readonly checkOut: (document: ShelfDocument) => void;
  readonly giveBack: (document: ShelfDocument) => void;
  readonly breakLock: (document: ShelfDocument) => void;
}

export interface DocumentMenuProps {
  /** Names the button. */
  readonly label: string;
  readonly document: ShelfDocument;
  readonly href: string;
  readonly rights: ShelfRights;
  readonly actions: MenuActions;
  readonly tabIndex: 0 | -1;
}

function LockItem({ document, rights, actions }: Pick<DocumentMenuProps, 'document' | 'rights' | 'actions'>) {
  const { t } = useTranslation();
  const { lock } = document;
  if (lock === null) {
    return (
      <MenuItem onSelect={() => actions.checkOut(document)}>
        <Lock aria-hidden="true" />
        {t('files.checkOut')}
      </MenuItem>
    );
  }
  const isOwn = lock.user_id === rights.userId;
  if (!isOwn && !rights.isOwner) return null;
  return (
    <MenuItem onSelect={() => (isOwn ? actions.giveBack(document) : actions.breakLock(document))}>
      <LockOpen aria-hidden="true" />
      {isOwn ? t('files.giveBack') : t('files.breakLock')}
    </MenuItem>
  );
}

type ItemsProps = Omit<DocumentMenuProps, 'label' | 'tabIndex'>;

function Items({ document, href, rights, actions }: ItemsProps) {
  const { t } = useTranslation();
  const search = useSearch();
  return (
    <>
      <MenuItem asChild>
        <Link href={href}>
          <FileText aria-hidden="true" />
          {t('files.open')}
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <a
          href={fillPath(STREAM_ROUTES.documentDownload, { id: document.id })}
          download={splitName(document.name).base}
        >
          <Download aria-hidden="true" />
          {t('common.download')}
        </a>
      </MenuItem>
      <MenuItem onSelect={() => actions.exportPdf(document)}>
        <FileDown aria-hidden="true" />
        {t('rules.exportPdf')}
      </MenuItem>
      <MenuItem onSelect={() => actions.versions(document)}>
        <History aria-hidden="true" />
        {t('shelf.versions')}
      </MenuItem>
      <MenuItem onSelect={() => actions.comments(document)}>
        <MessageSquare aria-hidden="true" />
        {t('talk.comments')}
      </MenuItem>
      {rights.canWrite && (
        <>
          <MenuItem asChild>
            <Link href={shareSearch(search, { kind: 'document', id: document.id })}>
              <Share2 aria-hidden="true" />
              {t('sharing.share')}
            </Link>
          </MenuItem>
          <MenuLine />
          <MenuItem onSelect={() => actions.rename(document)}>
            <Pencil aria-hidden="true" />
            {t('files.rename')}
            <span className="kbd">F2</span>
          </MenuItem>
          <LockItem document={document} rights={rights} actions={actions} />
          <MenuItem onSelect={() => actions.remove(document)}>
            <Trash2 aria-hidden="true" />
            {t('files.delete')}
            <span className="kbd">{t('files.deleteKey')}</span>
          </MenuItem>
        </>
      )}
    </>
  );
}

/** What can be done with one document. Its items are made when it opens: a list has hundreds of menus. */
export function DocumentMenu({ label, tabIndex, ...items }: DocumentMenuProps) {
  return (
    <Menu
      trigger={
        <button type="button" className="icon-button" tabIndex={tabIndex} aria-label={label}>
          <Ellipsis />
        </button>
      }
    >
      <Items {...items} />
    </Menu>
  );
}
