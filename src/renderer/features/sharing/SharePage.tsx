import { ChartNoAxesColumn, Link2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { isAppError } from '../../../shared/errors.ts';
import type { ShareLink } from '../../../shared/model/shareLink.ts';
import { useShelf } from '../../api/queries.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Breadcrumb } from '../../ui/Breadcrumb.tsx';
import { Missing } from '../../ui/Missing.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useTitle } from '../../ui/useTitle.ts';
import { LinkDialog } from './LinkDialog.tsx';
import { LinkList } from './LinkList.tsx';
import { useMyLinks, useShareLinks } from './links.ts';
import './sharing.css';

const SCOPES = ['shelf', 'mine'] as const;
type Scope = (typeof SCOPES)[number];

export interface SharePageProps {
  readonly library: string;
  readonly shelfId: string;
}

/** All share links of a shelf, or all that the person made anywhere (field.md row 49). */
export function SharePage({ library, shelfId }: SharePageProps) {
  const { t } = useTranslation();
  const [scope, setScope] = useState<Scope>('shelf');
  const [edited, setEdited] = useState<ShareLink | 'new' | null>(null);
  const [newId, setNewId] = useState<string | null>(null);
  const { data: detail } = useShelf(library, shelfId);
  const ofShelf = useShareLinks(library, shelfId);
  const mine = useMyLinks(scope === 'mine');
  const { data: links, error, isPending, isLoadingError, refetch } = scope === 'mine' ? mine : ofShelf;
  const shelf = detail?.shelf;
  const name = shelf?.name ?? '';
  useTitle(t('sharing.title'));
  if (isAppError(ofShelf.error, 'not-found')) {
    return <Missing title={t('library.shelfNotFoundTitle')} text={t('library.notFoundText')} />;
  }
  const close = () => setEdited(null);
  const add = shelf?.archived !== true && (
    <button type="button" className="button button--primary" onClick={() => setEdited('new')}>
      <Link2 />
      {t('sharing.newLink')}
    </button>
  );
  return (
    <div className="page">
      <header className="sharing__head">
        <Breadcrumb
          steps={[
            { name: shelf?.library ?? library, href: paths.library(library) },
            { name: name || '…', href: paths.shelf(library, shelfId) },
          ]}
        />
        <div className="page__head">
          <h1 className="page__title serif">{t('sharing.title')}</h1>
          <div className="page__actions">
            <Link href={paths.shareStatistics(library, shelfId)} className="button">
              <ChartNoAxesColumn />
              {t('sharing.statistics')}
            </Link>
            {add}
          </div>
        </div>
      </header>
      <Segments
        label={t('sharing.scope')}
        value={scope}
        options={SCOPES.map((value) => ({ value, label: t(`sharing.scope_${value}`) }))}
        onChange={setScope}
      />
      <div className="card">
        {isPending ? (
          <LoadingRows />
        ) : isLoadingError ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : links?.length === 0 ? (
          <EmptyState icon={Link2} title={t('sharing.emptyTitle')} text={t('sharing.emptyText')}>
            {add}
          </EmptyState>
        ) : (
          <LinkList
            links={links ?? []}
            label={t('sharing.links')}
            showsTarget
            showsShelf={scope === 'mine'}
            newId={newId}
            onEdit={setEdited}
          />
        )}
      </div>
      {edited !== null && (
        <LinkDialog
          subject={{ library, shelfId, name, documentId: null, versionId: null }}
          link={edited === 'new' ? null : edited}
          onClose={close}
          onSaved={({ id }) => {
            setNewId(edited === 'new' ? id : null);
            close();
          }}
        />
      )}
    </div>
  );
}
