import { Download, FileText, FileWarning } from 'lucide-react';
import { isAppError } from '../../../../shared/errors.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/States.tsx';
import type { ViewProps } from '../view.ts';
import { PasswordForm } from './PasswordForm.tsx';
import { PdfDocument } from './PdfDocument.tsx';
import { usePdf } from './usePdf.ts';
import './pdf.css';

/** A PDF, page by page. */
export function PdfView(props: ViewProps) {
  const { t } = useTranslation();
  return props.content.size === 0 ? (
    <EmptyState icon={FileText} title={t('version.empty')} />
  ) : (
    <OpenedPdf {...props} />
  );
}

function OpenedPdf(props: ViewProps) {
  const { content } = props;
  const { t } = useTranslation();
  const [opened, retry] = usePdf(content);
  if (opened.state === 'opening') return <LoadingRows rows={10} shape="text" />;
  if (opened.state === 'password') return <PasswordForm {...opened} name={content.name} />;
  if (opened.state === 'open') return <PdfDocument {...props} pdf={opened.pdf} firstSize={opened.firstSize} />;
  if (!isAppError(opened.error, 'unsupported')) return <ErrorState error={opened.error} onRetry={retry} />;
  return (
    <EmptyState icon={FileWarning} title={t('pdf.damagedTitle')} text={t('pdf.damagedText')}>
      {content.downloadUrl !== null && (
        <a className="button" href={content.downloadUrl} download={content.name}>
          <Download />
          {t('common.download')}
        </a>
      )}
    </EmptyState>
  );
}
