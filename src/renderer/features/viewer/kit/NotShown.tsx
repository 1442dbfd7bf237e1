import { Download } from 'lucide-react';
import type { ViewedContent } from '../../../api/viewer.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { FileIcon } from '../../../ui/FileIcon.tsx';
import { extensionOf, fileKind, splitName } from '../../../ui/fileKind.ts';
import { useFormats } from '../../../ui/useFormats.ts';
import { type NamedKind, namedKind } from './namedKind.ts';
import type { Refusal } from './refusal.ts';
import './notShown.css';

/** What a file is, in the reader's words. */
function useKindName(): (name: string) => string {
  const { t } = useTranslation();
  return (name) => {
    const kind: NamedKind = namedKind(extensionOf(name)) ?? fileKind(name).kind;
    const extension = extensionOf(name).toUpperCase();
    if (kind !== 'other') return t(`viewKinds.kinds.${kind}`);
    return extension === '' ? t('viewKinds.kinds.other') : t('viewKinds.fileOf', { extension });
  };
}

export interface NotShownProps {
  readonly content: ViewedContent;
  readonly why: Refusal;
  /** The most bytes that are shown, where there are more. */
  readonly most?: number;
}

/** A file that is not shown: what it is, why, and how to have it nevertheless. */
export function NotShown({ content, why, most = 0 }: NotShownProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const kindName = useKindName();
  const { name, size, mime, downloadUrl } = content;
  return (
    <div className="not-shown">
      <FileIcon name={name} />
      <h2 className="not-shown__title">{kindName(name)}</h2>
      <p className="not-shown__why">
        {t(`viewKinds.why.${why}`, { size: formats.size(most) })}
        {downloadUrl !== null && ` ${t('viewKinds.downloadIt')}`}
      </p>
      <dl className="facts not-shown__facts">
        <dt>{t('viewKinds.name')}</dt>
        <dd>{splitName(name).base}</dd>
        <dt>{t('version.size')}</dt>
        <dd>{formats.size(size)}</dd>
        <dt>{t('viewKinds.type')}</dt>
        <dd>{mime === '' ? t('viewKinds.noType') : mime}</dd>
      </dl>
      {downloadUrl !== null && (
        <a className="button" href={downloadUrl} download={splitName(name).base}>
          <Download />
          {t('common.download')}
        </a>
      )}
    </div>
  );
}
