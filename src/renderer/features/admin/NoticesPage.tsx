import { Megaphone, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../shared/api/index.ts';
import type { ManagedNotice } from '../../../shared/model/notice.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useFormats } from '../../ui/useFormats.ts';
import { AdminPage } from './AdminPage.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { useUnsortedAddress } from './listAddress.ts';
import { NoticeEditor } from './NoticeEditor.tsx';
import { Pager } from './Pager.tsx';
import { useAdminChange, useAdminQuery } from './queries.ts';

/** web-and-phone.md §9. */
const PER_PAGE = 20;
const BADGES = {
  scheduled: 'badge badge--info',
  showing: 'badge badge--accent',
  ended: 'badge',
  off: 'badge',
} as const;

/** What a notice says, without its markup; nothing of it is loaded or run. */
function wordsOf({ content, content_type }: ManagedNotice): string {
  if (content_type === 'text') return content;
  return new DOMParser().parseFromString(content, 'text/html').body.textContent;
}

interface NoticeTableProps {
  readonly notices: readonly ManagedNotice[];
  readonly onEdit: (notice: ManagedNotice) => void;
  readonly onRemove: (notice: ManagedNotice) => void;
}

function NoticeTable({ notices, onEdit, onRemove }: NoticeTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const nameOf = ({ title }: ManagedNotice) => title || t('talk.serviceNotice');
  const columns: readonly Column<ManagedNotice, never>[] = [
    {
      label: t('admin.notices.notice'),
      cell: (notice) => (
        <>
          <span className="table__title">
            {nameOf(notice)}
            <span className={BADGES[notice.state]}>{t(`admin.notices.state_${notice.state}`)}</span>
          </span>
          <span className="table__small table__clamp">{wordsOf(notice)}</span>
        </>
      ),
    },
    { label: t('admin.notices.start'), isFigure: true, cell: ({ start_date }) => formats.dateTime(start_date) },
    { label: t('admin.notices.end'), isFigure: true, cell: ({ end_date }) => formats.dateTime(end_date) },
    { label: t('admin.notices.reads'), isFigure: true, cell: ({ read_count }) => formats.number(read_count) },
  ];
  return (
    <DataTable
      label={t('admin.children.notices')}
      columns={columns}
      rows={notices}
      keyOf={({ id }) => id}
      actions={(notice) => (
        <>
          <button
            type="button"
            className="icon-button"
            aria-label={t('admin.editOf', { name: nameOf(notice) })}
            onClick={() => onEdit(notice)}
          >
            <Pencil />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={t('admin.removeOf', { name: nameOf(notice) })}
            onClick={() => onRemove(notice)}
          >
            <Trash2 />
          </button>
        </>
      )}
    />
  );
}

/** `/dashboard/notices`: what everybody who signs in is told, from when to when. */
export function NoticesPage() {
  const { t } = useTranslation();
  const { page, goTo } = useUnsortedAddress();
  const [edited, setEdited] = useState<ManagedNotice | 'new' | null>(null);
  const [doomed, setDoomed] = useState<ManagedNotice | null>(null);
  const { data, error, isPending, isLoadingError, refetch } = useAdminQuery(api.notices.list, {
    query: { page, page_size: PER_PAGE },
  });
  const remove = useAdminChange(api.notices.remove);
  const write = (
    <button type="button" className="button button--primary" onClick={() => setEdited('new')}>
      <Plus />
      {t('admin.notices.new')}
    </button>
  );
  const isEmpty = data?.count === 0;
  return (
    <AdminPage child="notices" {...(isEmpty ? {} : { actions: write })}>
      <div className="card">
        {isPending ? (
          <LoadingRows />
        ) : isLoadingError || data === undefined ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : isEmpty ? (
          <EmptyState icon={Megaphone} title={t('admin.notices.none')} text={t('admin.notices.noneText')}>
            {write}
          </EmptyState>
        ) : (
          <>
            <NoticeTable notices={data.notices} onEdit={setEdited} onRemove={setDoomed} />
            <Pager
              page={page}
              pageSize={PER_PAGE}
              shown={data.notices.length}
              count={data.count}
              hasMore={data.has_more}
              onPage={goTo}
            />
          </>
        )}
      </div>
      {edited !== null && <NoticeEditor notice={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {doomed !== null && (
        <ConfirmDialog
          title={t('admin.notices.removeTitle', { name: doomed.title || t('talk.serviceNotice') })}
          description={t('admin.notices.removeText')}
          verb={t('admin.remove')}
          onConfirm={async () => {
            await remove.mutateAsync({ params: { id: doomed.id } });
            notify(t('admin.notices.removed'));
          }}
          onClose={() => setDoomed(null)}
        />
      )}
    </AdminPage>
  );
}
