import { Megaphone } from 'lucide-react';
import { api } from '../../../shared/api/index.ts';
import type { ManagedNotice } from '../../../shared/model/notice.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { notify } from '../../ui/toast.ts';
import { useFormats } from '../../ui/useFormats.ts';
import type { Column } from './DataTable.tsx';
import { useUnsortedAddress } from './listAddress.ts';
import { NoticeEditor } from './NoticeEditor.tsx';
import { useAdminChange, useAdminQuery } from './queries.ts';
import { RECORDS_PER_PAGE, RecordsPage } from './RecordsPage.tsx';

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

/** `/dashboard/notices`: what everybody who signs in is told, from when to when. */
export function NoticesPage() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { page, goTo } = useUnsortedAddress();
  const found = useAdminQuery(api.notices.list, { query: { page, page_size: RECORDS_PER_PAGE } });
  const remove = useAdminChange(api.notices.remove);
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
    <RecordsPage
      child="notices"
      page={page}
      onPage={goTo}
      found={found}
      records={found.data?.notices}
      columns={columns}
      nameOf={nameOf}
      verb={t('admin.notices.new')}
      empty={{ icon: Megaphone, title: t('admin.notices.none'), text: t('admin.notices.noneText') }}
      editor={(notice, onClose) => <NoticeEditor notice={notice} onClose={onClose} />}
      removal={(notice) => ({
        title: t('admin.notices.removeTitle', { name: nameOf(notice) }),
        description: t('admin.notices.removeText'),
      })}
      onRemove={async ({ id }) => {
        await remove.mutateAsync({ params: { id } });
        notify(t('admin.notices.removed'));
      }}
    />
  );
}
