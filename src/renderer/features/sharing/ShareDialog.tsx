import { Link2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { ShareLink } from '../../../shared/model/shareLink.ts';
import { useShelf, useVersion } from '../../api/queries.ts';
import { paths, type ShareTarget } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { LinkDialog, type ShareSubject } from './LinkDialog.tsx';
import { LinkList } from './LinkList.tsx';
import { useShareLinks } from './links.ts';

/** The shelf, document or version that the dialog was asked for; null while it is not known. */
function useSubject(
  library: string,
  shelfId: string,
  target: ShareTarget,
): { readonly subject: ShareSubject | null; readonly error: unknown; readonly refetch: () => void } {
  const shelf = useShelf(library, shelfId);
  const version = useVersion(target.id, target.kind === 'version');
  const place = { library: shelf.data?.shelf.library ?? library, shelfId };
  const asked = target.kind === 'version' ? version : shelf;
  const refetch = () => void asked.refetch();
  const of = (name: string, documentId: string | null, versionId: string | null) => ({
    subject: { ...place, name, documentId, versionId },
    error: null,
    refetch,
  });
  if (target.kind === 'shelf' && shelf.data !== undefined) return of(shelf.data.shelf.name, null, null);
  if (target.kind === 'version' && version.data !== undefined) {
    return of(splitName(version.data.document_name).base, version.data.document_id, target.id);
  }
  const document = target.kind === 'document' && shelf.data?.documents.find(({ id }) => id === target.id);
  if (document) return of(splitName(document.name).base, document.id, null);
  return { subject: null, error: asked.error, refetch };
}

const leadsTo = (link: ShareLink, { documentId }: ShareSubject) => link.document_id === documentId;

export interface ShareDialogProps {
  readonly library: string;
  readonly shelfId: string;
  readonly target: ShareTarget;
  readonly onClose: () => void;
}

/** The links to a shelf, or to one document of it, and the form for more of them. */
export function ShareDialog({ library, shelfId, target, onClose }: ShareDialogProps) {
  const { t } = useTranslation();
  const { subject, error: subjectError, refetch: refetchSubject } = useSubject(library, shelfId, target);
  const { data, error, refetch } = useShareLinks(library, shelfId);
  const [edited, setEdited] = useState<ShareLink | 'new' | null>(null);
  const [newId, setNewId] = useState<string | null>(null);
  const links = useMemo(
    () => (subject === null ? [] : (data ?? []).filter((link) => leadsTo(link, subject))),
    [data, subject],
  );
  if (subject !== null && edited !== null) {
    const onSaved = ({ id }: ShareLink) => {
      setNewId(edited === 'new' ? id : null);
      setEdited(null);
    };
    return (
      <LinkDialog
        subject={subject}
        link={edited === 'new' ? null : edited}
        onClose={() => setEdited(null)}
        onSaved={onSaved}
      />
    );
  }
  const failure = subjectError ?? (data === undefined ? error : null);
  const add = (
    <button type="button" className="button button--primary" onClick={() => setEdited('new')}>
      {t('sharing.newLink')}
    </button>
  );
  return (
    <Dialog
      title={subject === null ? t('sharing.share') : t('sharing.shareTitle', { name: subject.name })}
      description={subject?.documentId === null ? t('sharing.shelfText') : t('sharing.documentText')}
      onClose={onClose}
      size="lg"
      isAddressed
      actions={
        <>
          <Link href={paths.share(library, shelfId)} className="button button--quiet">
            {t('sharing.allOfShelf')}
          </Link>
          {links.length > 0 && add}
        </>
      }
    >
      {failure !== null ? (
        <ErrorState
          error={failure}
          onRetry={() => {
            refetchSubject();
            void refetch();
          }}
        />
      ) : subject === null || data === undefined ? (
        <LoadingRows rows={3} />
      ) : links.length === 0 ? (
        <EmptyState icon={Link2} title={t('sharing.emptyTitle')} text={t('sharing.emptyText')}>
          {add}
        </EmptyState>
      ) : (
        <LinkList links={links} label={t('sharing.links')} newId={newId} onEdit={setEdited} />
      )}
    </Dialog>
  );
}
