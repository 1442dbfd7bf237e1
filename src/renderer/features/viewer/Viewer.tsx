import { FileQuestionMark } from 'lucide-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewerProps } from '../../api/viewer.ts';
import { EmptyState, LoadingRows } from '../../ui/States.tsx';
import { viewKind } from './viewKind.ts';
import { VIEWS } from './views.ts';
import './viewer.css';

const ignored = () => undefined;

/** Shows a document by the view of its kind. */
export function Viewer({ content, place }: ViewerProps) {
  const { t } = useTranslation();
  const kind = viewKind(content.name, content.mime);
  if (kind === 'none') {
    return <EmptyState icon={FileQuestionMark} title={t('version.noPreviewTitle')} text={t('version.noPreviewText')} />;
  }
  const View = VIEWS[kind];
  return (
    <div className="viewer">
      <Suspense fallback={<LoadingRows rows={10} shape="text" />}>
        <View key={content.key} content={content} place={place} onFindable={ignored} />
      </Suspense>
    </div>
  );
}
