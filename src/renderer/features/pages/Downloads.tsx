import { useQueries } from '@tanstack/react-query';
import { Download, MonitorDown } from 'lucide-react';
import { api } from '../../../shared/api/index.ts';
import type { AppVersion, AppVersionFile, Platform } from '../../../shared/model/appVersion.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useFormats } from '../../ui/useFormats.ts';
import { readersPlatform } from './readersPlatform.ts';

const PLATFORMS: readonly Platform[] = ['win32', 'darwin', 'linux'];

/** What only update clients read. */
const FOR_UPDATES = /\.(?:blockmap|ya?ml)$/iu;

function useLatest() {
  const { client } = useServices();
  return useQueries({
    queries: PLATFORMS.map((platform) => ({
      queryKey: ['latest version', platform],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        client.call(api.appVersions.latest, { query: { platform } }, { signal }),
    })),
    combine: (results) => ({
      isPending: results.some((result) => result.isPending),
      error: results.find((result) => result.isLoadingError)?.error ?? null,
      refetch: () => results.forEach((result) => void result.refetch()),
      versions: results.flatMap(({ data }) => data?.version ?? []),
    }),
  });
}

function FileRow({
  file: { name, size, sha256, url },
  isMain,
}: {
  readonly file: AppVersionFile;
  readonly isMain: boolean;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <li className="download">
      <a className={isMain ? 'button button--primary' : 'button'} href={url} download={name}>
        <Download />
        {t('pages.downloadFile', { name })}
      </a>
      <span className="muted">{formats.size(size)}</span>
      <span className="download__hash mono muted" title={sha256}>
        SHA-256 {sha256}
      </span>
    </li>
  );
}

function VersionCard({ version, isMain }: { readonly version: AppVersion; readonly isMain: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const published = version.published_at === null ? '' : formats.longDate(version.published_at);
  return (
    <section className="downloads card">
      <h2 className="downloads__title">{t(`pages.systems.${version.platform}`)}</h2>
      <p className="muted">{t('pages.versionOf', { version: version.version, published })}</p>
      <ul>
        {version.files
          .filter(({ name }) => !FOR_UPDATES.test(name))
          .map((file, index) => (
            <FileRow key={file.name} file={file} isMain={isMain && index === 0} />
          ))}
      </ul>
    </section>
  );
}

/** The newest desktop apps that this server offers, the one for the reader's system first. */
export function Downloads() {
  const { t } = useTranslation();
  const { isPending, error, refetch, versions } = useLatest();
  const own = readersPlatform(navigator.userAgent);
  if (isPending) return <LoadingRows rows={2} shape="text" />;
  if (error !== null) return <ErrorState error={error} onRetry={refetch} />;
  const offered = versions.filter(({ files }) => files.some(({ name }) => !FOR_UPDATES.test(name)));
  if (offered.length === 0) {
    return (
      <div className="card">
        <EmptyState icon={MonitorDown} title={t('pages.noDownloads')} text={t('pages.noDownloadsText')} />
      </div>
    );
  }
  const ordered = [...offered].sort((a, b) => Number(b.platform === own) - Number(a.platform === own));
  return (
    <>
      {own !== null && ordered[0]?.platform !== own && (
        <p className="notice">{t('pages.notForYours', { system: t(`pages.systems.${own}`) })}</p>
      )}
      {ordered.map((version) => (
        <VersionCard key={version.id} version={version} isMain={version.platform === own} />
      ))}
    </>
  );
}
