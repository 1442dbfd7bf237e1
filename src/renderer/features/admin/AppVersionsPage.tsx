import { AppWindow } from 'lucide-react';
import { api } from '../../../shared/api/index.ts';
import type { AppVersion } from '../../../shared/model/appVersion.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { notify } from '../../ui/toast.ts';
import { useFormats } from '../../ui/useFormats.ts';
import { When } from '../../ui/When.tsx';
import { AppVersionEditor } from './AppVersionEditor.tsx';
import type { Column } from './DataTable.tsx';
import { useUnsortedAddress } from './listAddress.ts';
import { useAdminChange, useAdminQuery } from './queries.ts';
import { RECORDS_PER_PAGE, RecordsPage } from './RecordsPage.tsx';

/** `/dashboard/app-versions`: the versions of the desktop application that clients update to (decisions.md §11). */
export function AppVersionsPage() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { page, goTo } = useUnsortedAddress();
  const found = useAdminQuery(api.appVersions.list, { query: { page, page_size: RECORDS_PER_PAGE } });
  const remove = useAdminChange(api.appVersions.remove);
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
    <RecordsPage
      child="app-versions"
      page={page}
      onPage={goTo}
      found={found}
      records={found.data?.versions}
      columns={columns}
      nameOf={nameOf}
      verb={t('admin.versions.new')}
      empty={{ icon: AppWindow, title: t('admin.versions.none'), text: t('admin.versions.noneText') }}
      editor={(version, onClose) => <AppVersionEditor version={version} onClose={onClose} />}
      removal={({ version, published_at }) => ({
        title: t('admin.versions.removeTitle', { name: version }),
        description: published_at === null ? t('admin.versions.removeText') : t('admin.versions.removePublished'),
      })}
      onRemove={async ({ id, version }) => {
        await remove.mutateAsync({ params: { id } });
        notify(t('admin.versions.removed', { name: version }));
      }}
    />
  );
}
