import { useEffect } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { createBlobUrls } from '../kit/blobUrls.ts';
import { DocumentFrame } from '../kit/DocumentFrame.tsx';
import { fetchBytes } from '../kit/fetchBytes.ts';
import { Prepared } from '../kit/Prepared.tsx';
import { SourceSwitch } from '../kit/SourceSwitch.tsx';
import '../kit/kit.css';
import { useMarks } from '../kit/useMarks.ts';
import type { ViewProps } from '../view.ts';
import { type RenderedHtml, renderHtml } from './renderHtml.ts';

const MAX_BYTES = 20 * 1024 * 1024;

function Page({ document, onFindable }: Pick<ViewProps, 'onFindable'> & { readonly document: RenderedHtml }) {
  const { t } = useTranslation();
  const mark = useMarks(onFindable);
  useEffect(() => document.close, [document]);
  return <DocumentFrame document={document} title={t('viewKinds.document')} onDrawn={mark} />;
}

function Rendered({ content, onFindable }: ViewProps) {
  const { t } = useTranslation();
  const prepare = async (wanted: ViewProps['content'], signal: AbortSignal) =>
    renderHtml(await fetchBytes(wanted, signal), createBlobUrls(), (name) =>
      name === '' ? t('viewKinds.missingImage') : t('viewKinds.missingImageOf', { name }),
    );
  return (
    <Prepared content={content} most={MAX_BYTES} as="html" prepare={prepare}>
      {(document) => (
        <div className="view">
          <p className="view-note">{t('viewKinds.htmlNote')}</p>
          <div className="view__main">
            <Page document={document} onFindable={onFindable} />
          </div>
        </div>
      )}
    </Prepared>
  );
}

/** A page as it looks, without what it would run and load, or as it is written. */
export function HtmlView(props: ViewProps) {
  return <SourceSwitch {...props} rendered={Rendered} label="rendered" />;
}
