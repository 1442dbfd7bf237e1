import { Mail } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../shared/api/index.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { When } from '../../ui/When.tsx';
import { Pager } from './Pager.tsx';
import { useAdminQuery } from './queries.ts';
import '../../ui/section.css';

const PER_PAGE = 20;
const BADGES = {
  queued: 'badge',
  sent: 'badge badge--accent',
  written: 'badge badge--info',
  failed: 'badge badge--danger',
};

/** What became of the mails; without a mail server each is a file (decisions.md §4). */
export function MailsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const { data, error, isPending, isLoadingError, refetch } = useAdminQuery(api.admin.mails, {
    query: { page, page_size: PER_PAGE },
  });
  return (
    <Dialog title={t('admin.overview.mails')} description={t('admin.overview.mailsText')} onClose={onClose} size="lg">
      {isPending ? (
        <LoadingRows rows={4} />
      ) : isLoadingError || data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data.mails.length === 0 && page === 1 ? (
        <EmptyState icon={Mail} title={t('admin.overview.noMails')} />
      ) : (
        <div>
          <ul className="rows">
            {data.mails.map((mail) => (
              <li key={mail.id}>
                <span className="rows__main">
                  <span className="rows__title">
                    {mail.subject}
                    <span className={BADGES[mail.state]}>{t(`admin.overview.mail_${mail.state}`)}</span>
                  </span>
                  <span className="muted">{mail.recipient}</span>
                  {mail.error !== null && <span className="field__error">{mail.error}</span>}
                  {mail.file !== null && <span className="muted mono">{mail.file}</span>}
                </span>
                <span className="muted">
                  <When moment={mail.created_at} />
                </span>
              </li>
            ))}
          </ul>
          <Pager
            page={page}
            pageSize={PER_PAGE}
            shown={data.mails.length}
            count={null}
            hasMore={data.has_more}
            onPage={setPage}
          />
        </div>
      )}
    </Dialog>
  );
}
