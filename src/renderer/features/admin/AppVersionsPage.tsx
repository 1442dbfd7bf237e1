import { AppWindow, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../shared/api/index.ts';
import type { AppVersion } from '../../../shared/model/appVersion.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useFormats } from '../../ui/useFormats.ts';
import { When } from '../../ui/When.tsx';
import { AdminPage } from './AdminPage.tsx';
import { AppVersionEditor } from './AppVersionEditor.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { useUnsortedAddress } from './listAddress.ts';
import { Pager } from './Pager.tsx';
import { useAdminChange, useAdminQuery } from './queries.ts';

const PER_PAGE = 20;

interface VersionTableProps {
  readonly versions: readonly AppVersion[];
  readonly onEdit: (version: AppVersion) => void;
  readonly onRemove: (version: AppVersion) => void;
}

function VersionTable({ versions, onEdit, onRemove }: VersionTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const nameOf = ({ version, platform }: AppVersion) => `${version} · ${t(`admin.versions.platform_${platform}`)}`;
  const columns: readonly Column<AppVersion, never>[] = [
    {
      label: t('admin.versions.version'),
      cell: (version) => (
        <span className="table__title">
          {version.version}
          {version.mandatory && <span className="badge badge--warning">{t('admin.versions.mandatory')}</span>}
        </span>
      ),
    },
    { label: t('admin.versions.platform'), cell: ({ platform }) => t(`admin.versions.platform_${platform}`) },
    { label: t('admin.versions.channel'), cell: ({ channel }) => <span className="mono">{channel}</span> },
    {
      label: t('admin.versions.installers'),
      isFigure: true,
      cell: ({ files }) =>
        files.length === 0
          ? t('admin.versions.noInstallers')
          : formats.size(files.reduce((sum, { size }) => sum + size, 0)),
    },
    {
      label: t('admin.versions.published'),
      isFigure: true,
      cell: ({ published_at }) =>
        published_at === null ? (
          <span className="badge">{t('admin.versions.draft')}</span>
        ) : (
          <When moment={published_at} />
        ),
    },
  ];
  return (
    <DataTable
      label={t('admin.children.app-versions')}
      columns={columns}
      rows={versions}
      keyOf={({ id }) => id}
      actions={(version) => (
        <>
          <button
            type="button"
            className="icon-button"
            aria-label={t('admin.editOf', { name: nameOf(version) })}
            onClick={() => onEdit(version)}
          >
            <Pencil />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={t('admin.removeOf', { name: nameOf(version) })}
            onClick={() => onRemove(version)}
          >
            <Trash2 />
          </button>
        </>
      )}
    />
  );
}

/** `/dashboard/app-versions`: the versions of the desktop application that clients update to (decisions.md §11). */
export function AppVersionsPage() {
  const { t } = useTranslation();
  const { page, goTo } = useUnsortedAddress();
  const [edited, setEdited] = useState<AppVersion | 'new' | null>(null);
  const [doomed, setDoomed] = useState<AppVersion | null>(null);
  const { data, error, isPending, isLoadingError, refetch } = useAdminQuery(api.appVersions.list, {
    query: { page, page_size: PER_PAGE },
  });
  const remove = useAdminChange(api.appVersions.remove);
  const record = (
    <button type="button" className="button button--primary" onClick={() => setEdited('new')}>
      <Plus />
      {t('admin.versions.new')}
    </button>
  );
  const isEmpty = data?.count === 0;
  return (
    <AdminPage child="app-versions" {...(isEmpty ? {} : { actions: record })}>
      <div className="card">
        {isPending ? (
          <LoadingRows />
        ) : isLoadingError || data === undefined ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : isEmpty ? (
          <EmptyState icon={AppWindow} title={t('admin.versions.none')} text={t('admin.versions.noneText')}>
            {record}
          </EmptyState>
        ) : (
          <>
            <VersionTable versions={data.versions} onEdit={setEdited} onRemove={setDoomed} />
            <Pager
              page={page}
              pageSize={PER_PAGE}
              shown={data.versions.length}
              count={data.count}
              hasMore={data.has_more}
              onPage={goTo}
            />
          </>
        )}
      </div>
      {edited !== null && (
        <AppVersionEditor version={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      {doomed !== null && (
        <ConfirmDialog
          title={t('admin.versions.removeTitle', { name: doomed.version })}
          description={
            doomed.published_at === null ? t('admin.versions.removeText') : t('admin.versions.removePublished')
          }
          verb={t('admin.remove')}
          onConfirm={async () => {
            await remove.mutateAsync({ params: { id: doomed.id } });
            notify(t('admin.versions.removed', { name: doomed.version }));
          }}
          onClose={() => setDoomed(null)}
        />
      )}
    </AdminPage>
  );
}
