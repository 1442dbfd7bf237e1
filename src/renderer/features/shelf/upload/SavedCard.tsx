import { CirclePause } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useFormats } from '../../../ui/useFormats.ts';
import { pickedFromInput } from './pickedFiles.ts';
import type { ResumeEnd } from './resumeUploads.ts';
import type { SavedUpload } from './savedUploads.ts';
import { useSavedUploads } from './uploads.ts';

/** Names of several folders' files, to say whether a folder is chosen again or files are. */
const isFolder = ({ files }: SavedUpload) => files.some(({ name }) => name.includes('/'));

/** An upload that the page was left with: it goes on with its files, which may have to be chosen again. */
export function SavedCard({ upload }: { readonly upload: SavedUpload }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { resume, resumeWith, discard } = useSavedUploads();
  const [end, setEnd] = useState<ResumeEnd | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const { files, target } = upload;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const knowsFiles = files.every(({ source, content }) => source !== null || content instanceof File);
  const goOn = async () => {
    if (!knowsFiles || end === 'choose-files') input.current?.click();
    else setEnd(await resume(upload));
  };
  const onInput = ({ target: { files: chosen } }: ChangeEvent<HTMLInputElement>) => {
    if (chosen !== null && chosen.length > 0) setEnd(resumeWith(upload, pickedFromInput(chosen)));
  };
  return (
    <article className="tray__batch" aria-label={t('uploads.interrupted')}>
      <header className="tray__head">
        <CirclePause aria-hidden="true" />
        <div className="tray__titles">
          <p className="tray__title">{t('uploads.interrupted')}</p>
          <p className="muted tray__facts">
            {target.library} / {target.shelfName} · {t('uploads.files', { count: files.length })} ·{' '}
            {formats.size(total)}
          </p>
        </div>
      </header>
      <p className="tray__facts" role="status">
        {end === 'files-missing'
          ? t('uploads.filesMissing')
          : !knowsFiles || end === 'choose-files'
            ? t('uploads.chooseAgain', { name: files[0]?.name ?? '', count: files.length })
            : t('uploads.canResume')}
      </p>
      <input
        ref={(element) => {
          if (isFolder(upload)) element?.setAttribute('webkitdirectory', '');
          input.current = element;
        }}
        type="file"
        multiple
        hidden
        data-testid="upload-again"
        onChange={onInput}
      />
      <div className="tray__actions">
        <button type="button" className="button button--small" onClick={() => discard(upload)}>
          {t('uploads.discard')}
        </button>
        <button type="button" className="button button--small button--primary" onClick={() => void goOn()}>
          {knowsFiles && end !== 'choose-files' ? t('uploads.resume') : t('uploads.choose')}
        </button>
      </div>
    </article>
  );
}
