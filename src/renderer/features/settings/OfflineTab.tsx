import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { Link } from 'wouter';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { paths } from '../../app/routes.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { KeptDocuments, KeptState } from '../../platform/types.ts';
import { Section } from '../../ui/Section.tsx';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useFormats } from '../../ui/useFormats.ts';
import { When } from '../../ui/When.tsx';

const KEY = ['kept documents'] as const;

interface KeptProps {
  readonly open: () => Promise<KeptDocuments>;
  readonly state: KeptState;
}

function Kept({ open, state: { isOn, documents, size } }: KeptProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const formats = useFormats();
  const change = useMutation({
    mutationFn: async (work: (kept: KeptDocuments) => Promise<void>) => work(await open()),
    onError: (error) => notify(errorText(error), 'error'),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  const empty = () => change.mutate((kept) => kept.empty(), { onSuccess: () => notify(t('offline.emptied')) });
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            const { checked } = event.target;
            change.mutate((kept) => kept.setOn(checked));
          }}
          disabled={change.isPending}
        />
        {t('offline.keep')}
      </label>
      <p className="muted">{t('offline.keepText')}</p>
      {documents.length === 0 ? (
        <p>{t('offline.nothingKept')}</p>
      ) : (
        <>
          <div className="section__actions">
            <strong>{t('offline.kept', { count: documents.length, size: formats.size(size) })}</strong>
            <button type="button" className="button" disabled={change.isPending} onClick={empty}>
              {t('offline.emptyNow')}
            </button>
          </div>
          <ul className="rows" aria-label={t('offline.keptList')}>
            {documents.map(({ versionId, name, library, shelfId, openedAt }) => (
              <li key={versionId}>
                <span className="rows__main">
                  <span className="rows__title">
                    <FileText aria-hidden="true" />
                    <Link href={paths.version(library, shelfId, versionId)}>{name}</Link>
                  </span>
                  <span className="muted">
                    {library} · <When moment={new Date(openedAt).toISOString()} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** What is kept on this device to be read without a network. */
export function OfflineTab() {
  const { t } = useTranslation();
  const { platform } = useServices();
  const open = platform.keptDocuments;
  const owner = useSession(({ user }) => user?.user_id ?? '');
  const formats = useFormats();
  const { data, error, isPending, isLoadingError, refetch } = useQuery({
    queryKey: [...KEY, owner],
    queryFn: async () => (open === null ? null : (await open()).state(owner)),
    staleTime: 0,
  });
  return (
    <Section
      title={t('offline.documents')}
      text={t('offline.documentsText', {
        count: LIMITS.keptDocuments,
        each: formats.size(LIMITS.keptDocumentBytes),
        all: formats.size(LIMITS.keptDocumentsBytes),
        days: LIMITS.keptDocumentDays,
      })}
    >
      {isPending ? (
        <LoadingRows rows={2} />
      ) : isLoadingError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        open !== null && data !== null && <Kept open={open} state={data} />
      )}
    </Section>
  );
}
