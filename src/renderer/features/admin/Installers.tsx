import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { APP_VERSION_FILE } from '../../../shared/api/appVersions.ts';
import { fillPath } from '../../../shared/api/call.ts';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import { AppVersion } from '../../../shared/model/appVersion.ts';
import { putFile } from '../../api/putFile.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Meter } from '../../ui/Meter.tsx';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useFormats } from '../../ui/useFormats.ts';
import { KEY } from './queries.ts';

export interface InstallersProps {
  readonly version: AppVersion;
  /** Published: its files stay as they are. */
  readonly isFixed: boolean;
  /** The version with its new file. */
  readonly onChange: (version: AppVersion) => void;
}

interface Progress {
  readonly name: string;
  readonly percent: number;
}

/** Sends files one after the other; closing the dialog gives them up. */
function useSending(version: AppVersion, onChange: InstallersProps['onChange']) {
  const { client } = useServices();
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const send = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) {
        // A file is sent past the client, which otherwise sees to it that the session goes on.
        await client.call(api.auth.userinfo, {});
        const report = (sent: number) =>
          setProgress({ name: file.name, percent: (sent / Math.max(1, file.size)) * 100 });
        report(0);
        const address = fillPath(APP_VERSION_FILE, { id: version.id, name: file.name });
        const { signal } = leaving.current ?? new AbortController();
        onChange(AppVersion.parse(JSON.parse(await putFile(address, file, report, signal))));
      }
    },
    onSettled: () => {
      setProgress(null);
      return queries.invalidateQueries({ queryKey: [KEY] });
    },
  });
  return { send, progress };
}

/** The installers of a version: those that are there, and the way to send more. */
export function Installers({ version, isFixed, onChange }: InstallersProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const errorText = useErrorText();
  const input = useRef<HTMLInputElement>(null);
  const { send, progress } = useSending(version, onChange);
  return (
    <section className="installers" aria-label={t('admin.versions.installers')}>
      <div className="admin-form__row">
        <span className="field__label">{t('admin.versions.installers')}</span>
        {!isFixed && (
          <button
            type="button"
            className="button button--small"
            disabled={send.isPending}
            onClick={() => input.current?.click()}
          >
            <Upload />
            {t('admin.versions.addInstallers')}
          </button>
        )}
        <input
          ref={input}
          type="file"
          multiple
          hidden
          data-testid="installers"
          onChange={({ target }) => {
            send.mutate([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      </div>
      {version.files.length === 0 && progress === null && (
        <p className="field__hint">{t('admin.versions.needsInstallers')}</p>
      )}
      <ul className="rows">
        {version.files.map(({ name, size, sha256 }) => (
          <li key={name}>
            <span className="rows__main">
              <span>{name}</span>
              <span className="muted mono">{sha256}</span>
            </span>
            <span className="muted">{formats.size(size)}</span>
          </li>
        ))}
      </ul>
      {progress !== null && (
        <div>
          <p className="field__hint" role="status">
            {t('admin.versions.sending', { name: progress.name })}
          </p>
          <Meter label={t('admin.versions.sending', { name: progress.name })} done={progress.percent} total={100} />
        </div>
      )}
      {send.isError && !isAppError(send.error, 'cancelled') && (
        <p className="field__error" role="alert">
          {isAppError(send.error, 'name-invalid') ? t('admin.versions.badName') : errorText(send.error)}
        </p>
      )}
    </section>
  );
}
