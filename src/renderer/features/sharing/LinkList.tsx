import { Ban, ChartNoAxesColumn, Copy, Pencil, RotateCcw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { ShareLink, ShareLinkState } from '../../../shared/model/shareLink.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { SendButton } from '../../ui/SendButton.tsx';
import { useFormats, useNow } from '../../ui/useFormats.ts';
import { When } from '../../ui/When.tsx';
import { useLinkActions } from './links.ts';
import './sharing.css';

/** Drawn at once; more are asked for. */
const SHOWN_AT_ONCE = 50;

const STATE_BADGES: Readonly<Record<ShareLinkState, string>> = {
  active: 'badge badge--accent',
  expired: 'badge badge--warning',
  'used-up': 'badge badge--warning',
  revoked: 'badge badge--danger',
};

/** What a link leads to. */
function Target({ link, showsShelf }: { readonly link: ShareLink; readonly showsShelf: boolean }) {
  const { t } = useTranslation();
  const place = showsShelf ? `${link.library} / ${link.shelf}` : link.shelf;
  return (
    <p className="link__target">
      {link.document_name !== null && <FileIcon name={link.document_name} />}
      <span>
        {link.document_name ?? t('sharing.wholeShelf', { name: place })}
        {link.document_name !== null && showsShelf && <span className="muted"> · {place}</span>}
      </span>
    </p>
  );
}

/** The rules of a link, each in a few words. */
function Facts({ link }: { readonly link: ShareLink }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const { managed, max_views, expires_at, allowed_emails } = link;
  const facts = [
    link.kind === 'version' && t('sharing.onlyVersion', { number: link.version_number ?? 0 }),
    link.kind === 'document' && t('sharing.currentVersion'),
    link.allow_download ? t('sharing.withDownload') : t('sharing.viewOnly'),
    link.has_password && t('sharing.withPassword'),
    allowed_emails !== null && t('sharing.addresses', { count: allowed_emails.length }),
    expires_at !== null &&
      (Date.parse(expires_at) > now
        ? t('sharing.expiresIn', { when: formats.relative(expires_at, now) })
        : t('sharing.expiredOn', { when: formats.dateTime(expires_at) })),
    managed !== null &&
      (max_views === null
        ? t('sharing.views', { count: managed.view_count })
        : t('sharing.viewsOf', { count: managed.view_count, most: formats.number(max_views) })),
  ].filter((fact) => fact !== false);
  return (
    <ul className="link__facts">
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}

interface LinkRowProps {
  readonly link: ShareLink;
  readonly showsTarget: boolean;
  readonly showsShelf: boolean;
  readonly isNew: boolean;
  readonly onEdit: (link: ShareLink) => void;
}

function LinkRow({ link, showsTarget, showsShelf, isNew, onEdit }: LinkRowProps) {
  const { t } = useTranslation();
  const { copy, revoke, reopen } = useLinkActions();
  const copyButton = useRef<HTMLButtonElement>(null);
  const name = link.label === '' ? t('sharing.unlabelled') : link.label;
  const isOpen = link.state === 'active';
  // Copying is what a link was made for.
  useEffect(() => {
    if (isNew) copyButton.current?.focus();
  }, [isNew]);
  return (
    <li className="link" data-open={isOpen}>
      <div className="link__main">
        <p className="link__title">
          <strong>{name}</strong>
          <span className={STATE_BADGES[link.state]}>{t(`sharing.state_${link.state}`)}</span>
        </p>
        {showsTarget && <Target link={link} showsShelf={showsShelf} />}
        <p className="link__url mono" title={link.url}>
          {link.url}
        </p>
        <Facts link={link} />
        <p className="muted link__made">
          {t('sharing.madeBy', { name: link.created_by })} <When moment={link.created_at} />
        </p>
      </div>
      <div className="link__actions">
        {isOpen && (
          <button
            ref={copyButton}
            type="button"
            className="button button--small"
            aria-label={t('sharing.copyOf', { name })}
            onClick={() => void copy(link)}
          >
            <Copy />
            {t('sharing.copy')}
          </button>
        )}
        {isOpen && (
          <SendButton
            title={link.document_name ?? link.shelf}
            url={link.url}
            label={t('sharing.sendOf', { name })}
            small
          />
        )}
        {link.may_manage && (
          <>
            <Link
              href={paths.shareStatistics(link.library, link.shelf_id, link.id)}
              className="icon-button"
              aria-label={t('sharing.statisticsOf', { name })}
              title={t('sharing.statistics')}
            >
              <ChartNoAxesColumn />
            </Link>
            <button
              type="button"
              className="icon-button"
              aria-label={t('sharing.editOf', { name })}
              title={t('sharing.edit')}
              onClick={() => onEdit(link)}
            >
              <Pencil />
            </button>
            {link.state === 'revoked' ? (
              <button
                type="button"
                className="icon-button"
                aria-label={t('sharing.reopenOf', { name })}
                title={t('sharing.reopen')}
                onClick={() => void reopen(link)}
              >
                <RotateCcw />
              </button>
            ) : (
              <button
                type="button"
                className="icon-button"
                aria-label={t('sharing.revokeOf', { name })}
                title={t('sharing.revoke')}
                onClick={() => void revoke(link)}
              >
                <Ban />
              </button>
            )}
          </>
        )}
      </div>
    </li>
  );
}

export interface LinkListProps {
  readonly links: readonly ShareLink[];
  readonly label: string;
  /** Says of each what it leads to: where the list is not of one document. */
  readonly showsTarget?: boolean;
  readonly showsShelf?: boolean;
  /** The link that was just made. */
  readonly newId?: string | null;
  readonly onEdit: (link: ShareLink) => void;
}

/** Share links, with what can be done with each. */
export function LinkList({
  links,
  label,
  showsTarget = false,
  showsShelf = false,
  newId = null,
  onEdit,
}: LinkListProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  return (
    <>
      <ul className="links" aria-label={label}>
        {links.slice(0, shown).map((link) => (
          <LinkRow
            key={link.id}
            link={link}
            showsTarget={showsTarget}
            showsShelf={showsShelf}
            isNew={link.id === newId}
            onEdit={onEdit}
          />
        ))}
      </ul>
      {links.length > shown && (
        <button type="button" className="button links__more" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
          {t('sharing.showMore')}
        </button>
      )}
    </>
  );
}
