import { useCallback, useEffect } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { createBlobUrls } from '../kit/blobUrls.ts';
import { fetchBytes } from '../kit/fetchBytes.ts';
import { Prepared } from '../kit/Prepared.tsx';
import { Reader } from '../kit/Reader.tsx';
import { refused } from '../kit/refusal.ts';
import { SourceSwitch } from '../kit/SourceSwitch.tsx';
import { useMarks } from '../kit/useMarks.ts';
import { decodeWhole } from '../text/decoding.ts';
import type { ViewProps } from '../view.ts';
import { type RenderedMarkdown, renderMarkdown } from './renderMarkdown.ts';

/** More than anybody writes by hand; the source shows whatever is larger. */
const MAX_BYTES = 5 * 1024 * 1024;

function Page({ document, onFindable }: Pick<ViewProps, 'onFindable'> & { readonly document: RenderedMarkdown }) {
  const { t } = useTranslation();
  const mark = useMarks(onFindable);
  const onDrawn = useCallback((_scroller: HTMLElement, text: HTMLElement) => mark(text), [mark]);
  useEffect(() => document.close, [document]);
  return <Reader body={document.body} label={t('viewKinds.document')} onDrawn={onDrawn} />;
}

function Rendered({ content, onFindable }: ViewProps) {
  const { t } = useTranslation();
  const prepare = async (wanted: ViewProps['content'], signal: AbortSignal) => {
    const text = decodeWhole(await fetchBytes(wanted, signal));
    if (text === null) throw refused('damaged');
    return renderMarkdown(text, createBlobUrls(), (name) =>
      name === '' ? t('viewKinds.missingImage') : t('viewKinds.missingImageOf', { name }),
    );
  };
  return (
    <Prepared content={content} most={MAX_BYTES} as="markdown" prepare={prepare}>
      {(document) => <Page document={document} onFindable={onFindable} />}
    </Prepared>
  );
}

/** Markdown as it reads, or as it is written. */
export function MarkdownView(props: ViewProps) {
  return <SourceSwitch {...props} rendered={Rendered} label="rendered" />;
}
