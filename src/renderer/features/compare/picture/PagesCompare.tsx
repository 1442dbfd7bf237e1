import { FileWarning } from 'lucide-react';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useMemo, useRef, useState } from 'react';
import { isAppError } from '../../../../shared/errors.ts';
import type { Comparison } from '../../../../shared/model/compare.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { moveFocus } from '../../../ui/moveFocus.ts';
import { Segments } from '../../../ui/Segments.tsx';
import { ErrorState, LoadingRows } from '../../../ui/States.tsx';
import { ChangeMoves } from '../ChangeMoves.tsx';
import { useTextComparison, type VersionPair } from '../comparisons.ts';
import { NotComparable } from '../NotComparable.tsx';
import { WhenCompared } from '../WhenCompared.tsx';
import { type PictureSize, roomFor } from './difference.ts';
import { drawPage } from './drawPage.ts';
import { type PictureLook, Pictures } from './Pictures.tsx';
import { type ComparedPages, markedPages, useScannedPages } from './pagePairs.ts';
import { usePdfPair } from './pdfPair.ts';

const LOOKS = ['overlay', 'swipe', 'onion', 'side-by-side'] as const satisfies readonly PictureLook[];
/** Sharp enough on the largest screens, and well within what a canvas can be. */
const LONGEST_SIDE = 2000;
/** A sheet of paper, until the page is there. */
const PAPER: PictureSize = { width: 1414, height: 2000 };

interface DrawnPageProps {
  readonly pdf: PDFDocumentProxy;
  /** From 1. */
  readonly page: number;
  readonly label: string;
  readonly onSize: (size: PictureSize) => void;
}

/** The picture of a page. */
function DrawnPage({ pdf, page, label, onSize }: DrawnPageProps) {
  const { t } = useTranslation();
  const holder = useRef<HTMLDivElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const left = new AbortController();
    const draw = async () => {
      const canvas = await drawPage(pdf, page, LONGEST_SIDE, left.signal);
      if (left.signal.aborted) return;
      canvas.className = 'pictures__picture';
      holder.current?.replaceChildren(canvas);
      onSize({ width: canvas.width, height: canvas.height });
    };
    draw().catch(() => {
      if (!left.signal.aborted) setBroken(true);
    });
    return () => left.abort();
  }, [pdf, page, onSize]);
  return isBroken ? (
    <p className="pictures__none">
      <FileWarning aria-hidden="true" />
      {t('pdf.pageBroken')}
    </p>
  ) : (
    <div ref={holder} className="pictures__page" role="img" aria-label={label} />
  );
}

interface OpenPairProps {
  readonly pair: VersionPair;
  readonly comparison: Comparison;
  readonly base: PDFDocumentProxy;
  readonly other: PDFDocumentProxy;
}

/** What a pair of pages is called. */
function usePageName() {
  const { t } = useTranslation();
  return ({ base, other }: ComparedPages) =>
    base !== null && other !== null && base !== other
      ? t('compare.pageMoved', { before: base, after: other })
      : t('compare.pageName', { page: other ?? base ?? 0 });
}

interface PageListProps {
  readonly pages: readonly ComparedPages[];
  readonly at: number;
  readonly onGo: (index: number) => void;
}

function PageList({ pages, at, onGo }: PageListProps) {
  const { t } = useTranslation();
  const nameOf = usePageName();
  const current = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another button
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [at]);
  return (
    <nav className="pages card" aria-label={t('compare.pages')}>
      <ol className="pages__list" onKeyDown={moveFocus}>
        {pages.map((page, index) => (
          <li key={`${page.base} ${page.other}`} className="pages__entry">
            <button
              type="button"
              className="pages__item"
              aria-current={index === at ? 'page' : undefined}
              data-roving=""
              ref={index === at ? current : null}
              onClick={() => onGo(index)}
            >
              {nameOf(page)}
              {page.mark !== null && (
                <span className="badge pages__mark" data-mark={page.mark}>
                  {t(`compare.page_${page.mark}`)}
                </span>
              )}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function OpenPair({ pair, comparison, base, other }: OpenPairProps) {
  const { t } = useTranslation();
  const [look, setLook] = useState<PictureLook>('overlay');
  const known = useMemo(
    () => markedPages(comparison, base.numPages, other.numPages),
    [comparison, base.numPages, other.numPages],
  );
  const pages = useScannedPages(known, base, other);
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      known.findIndex(({ mark }) => mark !== null),
    ),
  );
  const [sizes, setSizes] = useState<{ readonly base?: PictureSize; readonly other?: PictureSize }>({});
  const [onBase, onOther] = useMemo(
    () => [
      (size: PictureSize) => setSizes((before) => ({ ...before, base: size })),
      (size: PictureSize) => setSizes((before) => ({ ...before, other: size })),
    ],
    [],
  );
  const nameOf = usePageName();
  const shown = pages[at];
  const changes = pages.flatMap(({ mark }, index) => (mark === null ? [] : [index]));
  if (shown === undefined) return null;
  const room = roomFor(sizes.base ?? sizes.other ?? PAPER, sizes.other ?? sizes.base ?? PAPER);
  const picture = (side: 'base' | 'other', pdf: PDFDocumentProxy, onSize: (size: PictureSize) => void) => {
    const page = shown[side];
    if (page === null) return null;
    const label = t('compare.pageOf', { page, number: pair[side].number });
    return <DrawnPage key={page} pdf={pdf} page={page} label={label} onSize={onSize} />;
  };
  return (
    <>
      <div className="compare__bar card">
        <strong>{nameOf(shown)}</strong>
        {shown.mark !== null && (
          <span className="badge pages__mark" data-mark={shown.mark}>
            {t(`compare.page_${shown.mark}`)}
          </span>
        )}
        <span className="compare__whole">
          <Segments
            label={t('compare.look')}
            value={look}
            options={LOOKS.map((value) => ({ value, label: t(`compare.look_${value}`) }))}
            onChange={setLook}
          />
        </span>
        <ChangeMoves count={changes.length} at={changes.indexOf(at)} onGo={(to) => setAt(changes[to] ?? at)} />
      </div>
      <div className="compare__paged">
        <PageList pages={pages} at={at} onGo={setAt} />
        <div className="compare__pictures card">
          <Pictures
            look={look}
            base={picture('base', base, onBase)}
            other={picture('other', other, onOther)}
            room={room}
          />
        </div>
      </div>
    </>
  );
}

/** Two versions of a PDF, page over page. */
export function PagesCompare({ pair }: { readonly pair: VersionPair }) {
  const { t } = useTranslation();
  const [files, retry] = usePdfPair(pair);
  const comparison = useTextComparison(pair, false);
  switch (files.state) {
    case 'opening':
      return <LoadingRows rows={8} shape="text" />;
    case 'locked':
      return <NotComparable pair={pair} title={t('compare.locked')} text={t('compare.lockedText')} />;
    case 'failed':
      return isAppError(files.error, 'unsupported') ? (
        <NotComparable pair={pair} title={t('compare.damaged')} text={t('compare.damagedText')} />
      ) : (
        <ErrorState error={files.error} onRetry={retry} />
      );
    default:
      return (
        <WhenCompared comparison={comparison}>
          {(data) => <OpenPair pair={pair} comparison={data} base={files.base} other={files.other} />}
        </WhenCompared>
      );
  }
}
