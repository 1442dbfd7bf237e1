import { useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { extensionOf } from '../../../ui/fileKind.ts';
import { Segments } from '../../../ui/Segments.tsx';
import { ViewerTools } from '../toolbar.tsx';
import type { ViewProps } from '../view.ts';
import { DocxView } from './DocxView.tsx';
import { ExportedPdf } from './ExportedPdf.tsx';
import { TextLayerView } from './TextLayerView.tsx';
import '../kit/kit.css';

type Side = 'document' | 'pdf';

/** Word documents are drawn here at once; whoever wants the pages as Office breaks them has them as PDF. */
function WordView(props: ViewProps) {
  const { t } = useTranslation();
  const [side, setSide] = useState<Side>('document');
  return (
    <>
      {props.exportPdf !== null && (
        <ViewerTools>
          <Segments
            label={t('viewKinds.shownAs')}
            value={side}
            options={[
              { value: 'document', label: t('viewKinds.document') },
              { value: 'pdf', label: t('viewKinds.asPdf') },
            ]}
            onChange={setSide}
          />
        </ViewerTools>
      )}
      {side === 'document' ? (
        <DocxView {...props} />
      ) : (
        <ExportedPdf {...props} otherwise={<TextLayerView {...props} />} />
      )}
    </>
  );
}

/** Office documents, emails and rich text: pages where they can be had, else the text. */
export function OfficeView(props: ViewProps) {
  if (/^do[ct]x$/u.test(extensionOf(props.content.name))) return <WordView {...props} />;
  return <ExportedPdf {...props} otherwise={<TextLayerView {...props} />} />;
}
