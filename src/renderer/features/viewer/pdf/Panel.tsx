import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Segments } from '../../../ui/Segments.tsx';
import { Outline } from './Outline.tsx';
import type { PageBox } from './pageLayout.ts';
import { Thumbnails } from './Thumbnails.tsx';
import type { Destination } from './targets.ts';

export interface PanelProps {
  readonly pdf: PDFDocumentProxy;
  readonly boxes: readonly PageBox[];
  readonly rotation: number;
  readonly current: number;
  readonly onPage: (page: number) => void;
  readonly onDestination: (destination: Destination) => void;
  readonly onClose: () => void;
}

/** Beside the pages: all of them small, or the table of contents. */
export function Panel({ pdf, boxes, rotation, current, onPage, onDestination, onClose }: PanelProps) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<'pages' | 'outline'>('pages');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    <aside className="pdf__panel" aria-label={t('pdf.panel')} onKeyDown={onKeyDown}>
      <Segments
        label={t('pdf.panelShows')}
        value={tab}
        options={[
          { value: 'pages', label: t('pdf.thumbnails') },
          { value: 'outline', label: t('pdf.outline') },
        ]}
        onChange={setTab}
      />
      {tab === 'pages' ? (
        <Thumbnails pdf={pdf} boxes={boxes} rotation={rotation} current={current} onPage={onPage} />
      ) : (
        <Outline pdf={pdf} onDestination={onDestination} />
      )}
    </aside>
  );
}
