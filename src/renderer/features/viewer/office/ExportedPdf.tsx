import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { fetchBlob } from '../../../api/fetchContent.ts';
import { loadCode } from '../../../api/loadCode.ts';
import type { ViewedContent } from '../../../api/viewer.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { ErrorState, LoadingRows } from '../../../ui/States.tsx';
import { useBlobUrl } from '../kit/useBlobUrl.ts';
import type { ViewProps } from '../view.ts';

const PdfView = lazy(async () => ({
  default: await loadCode(async () => (await import('../pdf/PdfView.tsx')).PdfView),
}));

/** The PDF that the server makes of a document, or null where it makes none. The address is only good for a short while. */
async function exportedPdf(exportPdf: ViewProps['exportPdf'], signal: AbortSignal): Promise<Blob | null> {
  if (exportPdf === null) return null;
  const { presignedUrl } = await exportPdf(signal);
  return presignedUrl === null ? null : fetchBlob(presignedUrl, signal);
}

/** Slides become pages. */
const pagePlace = (place: ViewProps['place']): ViewProps['place'] => ({
  ...place,
  section: place.section?.replace(/^Slide (?=\d+$)/u, 'Page ') ?? null,
});

function Pdf({ blob, ...view }: ViewProps & { readonly blob: Blob }) {
  const url = useBlobUrl(blob);
  const { content, place } = view;
  const pdf = useMemo(
    (): ViewedContent | null =>
      url === null ? null : { ...content, key: `${content.key} as PDF`, mime: 'application/pdf', size: blob.size, url },
    [content, blob, url],
  );
  if (pdf === null) return <LoadingRows rows={10} shape="text" />;
  return (
    <Suspense fallback={<LoadingRows rows={10} shape="text" />}>
      <PdfView {...view} content={pdf} place={pagePlace(place)} />
    </Suspense>
  );
}

export interface ExportedPdfProps extends ViewProps {
  /** Shown where the server makes no PDF of it. */
  readonly otherwise: ReactNode;
}

/** A document as the PDF that the server makes of it. */
export function ExportedPdf({ otherwise, ...view }: ExportedPdfProps) {
  const { t } = useTranslation();
  const { content, exportPdf } = view;
  const { data, error, isPending, isLoadingError, refetch } = useQuery({
    queryKey: ['viewer', 'exported', content.key],
    queryFn: ({ signal }) => exportedPdf(exportPdf, signal),
    enabled: content.size > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    structuralSharing: false,
  });
  if (content.size === 0) return otherwise;
  if (isPending) {
    return (
      <>
        {exportPdf !== null && (
          <p className="view-note" role="status">
            {t('viewKinds.makingPdf')}
          </p>
        )}
        <LoadingRows rows={10} shape="text" />
      </>
    );
  }
  if (isLoadingError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return data === null ? otherwise : <Pdf {...view} blob={data} />;
}
