import { FileQuestionMark } from 'lucide-react';
import { fillPath } from '../../../shared/api/call.ts';
import { STREAM_ROUTES } from '../../../shared/api/documents.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { splitName } from '../../ui/fileKind.ts';
import { EmptyState } from '../../ui/States.tsx';
import type { VersionPair } from './comparisons.ts';

export interface NotComparableProps {
  readonly pair: VersionPair;
  readonly title: string;
  readonly text: string;
}

/** Both contents, for what cannot be compared here. */
export function NotComparable({ pair: { base, other }, title, text }: NotComparableProps) {
  const { t } = useTranslation();
  return (
    <div className="card">
      <EmptyState icon={FileQuestionMark} title={title} text={text}>
        {[base, other].map(({ id, number, document_name }) => (
          <a
            key={id}
            className="button"
            href={fillPath(STREAM_ROUTES.versionDownload, { id })}
            download={splitName(document_name).base}
          >
            {t('files.downloadVersion', { number })}
          </a>
        ))}
      </EmptyState>
    </div>
  );
}
