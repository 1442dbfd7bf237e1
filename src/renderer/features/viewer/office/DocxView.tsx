import { useCallback, useEffect } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { DocumentFrame } from '../kit/DocumentFrame.tsx';
import { fetchBytes } from '../kit/fetchBytes.ts';
import { Prepared } from '../kit/Prepared.tsx';
import { useMarks } from '../kit/useMarks.ts';
import type { ViewProps } from '../view.ts';
import { type RenderedDocx, renderDocx } from './renderDocx.ts';

const MAX_BYTES = 50 * 1024 * 1024;

/** Makes pages no wider than their room, so that nobody reads by scrolling sideways. */
function fitPages(body: HTMLElement): () => void {
  const page = body.ownerDocument.documentElement;
  const fit = () => {
    body.style.zoom = '1';
    const widest = Math.max(...[...body.querySelectorAll<HTMLElement>('section.docx')].map((each) => each.offsetWidth));
    const room = page.clientWidth;
    const margins = room < 600 ? 16 : 48;
    body.style.zoom = String(widest > 0 ? Math.min(1, room / (widest + margins)) : 1);
  };
  const observer = new ResizeObserver(fit);
  observer.observe(page);
  return () => observer.disconnect();
}

function Pages({ document, onFindable }: Pick<ViewProps, 'onFindable'> & { readonly document: RenderedDocx }) {
  const { t } = useTranslation();
  const mark = useMarks(onFindable);
  const onDrawn = useCallback(
    (body: HTMLElement) => {
      const endFit = fitPages(body);
      const endMarks = mark(body);
      return () => {
        endFit();
        endMarks();
      };
    },
    [mark],
  );
  useEffect(() => document.close, [document]);
  return <DocumentFrame document={document} title={t('viewKinds.document')} onDrawn={onDrawn} />;
}

/** A Word document as the browser draws it. */
export function DocxView({ content, onFindable }: ViewProps) {
  const { t } = useTranslation();
  const prepare = async (wanted: ViewProps['content'], signal: AbortSignal) =>
    renderDocx(await fetchBytes(wanted, signal), (name) =>
      name === '' ? t('viewKinds.missingImage') : t('viewKinds.missingImageOf', { name }),
    );
  return (
    <Prepared content={content} most={MAX_BYTES} as="docx" prepare={prepare}>
      {(document) => <Pages document={document} onFindable={onFindable} />}
    </Prepared>
  );
}
