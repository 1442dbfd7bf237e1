import { TableOfContents } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { moveFocus } from '../../../ui/moveFocus.ts';
import { createBlobUrls } from '../kit/blobUrls.ts';
import { fetchBytes } from '../kit/fetchBytes.ts';
import { Prepared } from '../kit/Prepared.tsx';
import { Reader } from '../kit/Reader.tsx';
import { useMarks } from '../kit/useMarks.ts';
import { ViewerTools } from '../toolbar.tsx';
import type { ViewProps } from '../view.ts';
import { type Book, openBook } from './openBook.ts';
import './epub.css';

const MAX_BYTES = 200 * 1024 * 1024;

const placeKey = (key: string) => `armarium.book.${key}`;

/** Where the reader was, as the chapter and the share of it that was read. */
function keptPlace(key: string): readonly [id: string, share: number] | null {
  const [id, share] = (sessionStorage.getItem(placeKey(key)) ?? '').split('@');
  return id === undefined || id === '' ? null : [id, Number(share) || 0];
}

/** The chapter at the upper edge of what is in sight. */
function chapterInSight(scroller: HTMLElement): HTMLElement | null {
  const edge = scroller.getBoundingClientRect().top + 1;
  const chapters = [...scroller.querySelectorAll<HTMLElement>('.chapter')];
  return chapters.findLast((chapter) => chapter.getBoundingClientRect().top <= edge) ?? chapters[0] ?? null;
}

function keepPlace(key: string, scroller: HTMLElement, chapter: HTMLElement): void {
  const { top, height } = chapter.getBoundingClientRect();
  const share = height === 0 ? 0 : (scroller.getBoundingClientRect().top - top) / height;
  sessionStorage.setItem(placeKey(key), `${chapter.id}@${share.toFixed(4)}`);
}

interface PagesProps extends Pick<ViewProps, 'content' | 'place' | 'onFindable'> {
  readonly book: Book;
}

function Pages({ book, content: { key }, place: { find }, onFindable }: PagesProps) {
  const { t } = useTranslation();
  const [isListOpen, setListOpen] = useState(book.contents.length > 1 && innerWidth >= 900);
  const [current, setCurrent] = useState('');
  const scroller = useRef<HTMLElement | null>(null);
  const mark = useMarks(onFindable);
  useEffect(() => book.close, [book]);
  const onDrawn = useCallback(
    (drawnIn: HTMLElement, text: HTMLElement) => {
      scroller.current = drawnIn;
      const kept = find === '' ? keptPlace(key) : null;
      const chapter = kept === null ? null : text.querySelector<HTMLElement>(`[id="${CSS.escape(kept[0])}"]`);
      if (kept !== null && chapter !== null) {
        chapter.scrollIntoView({ block: 'start' });
        drawnIn.scrollBy({ top: kept[1] * chapter.getBoundingClientRect().height, behavior: 'instant' });
      }
      const onScroll = () => {
        const seen = chapterInSight(drawnIn);
        if (seen === null) return;
        setCurrent(seen.id);
        keepPlace(key, drawnIn, seen);
      };
      setCurrent(chapterInSight(drawnIn)?.id ?? '');
      drawnIn.addEventListener('scroll', onScroll, { passive: true });
      const end = mark(text);
      return () => {
        drawnIn.removeEventListener('scroll', onScroll);
        end();
      };
    },
    [key, find, mark],
  );
  const goTo = (id: string) => {
    const target = scroller.current?.querySelector(`[id="${CSS.escape(id)}"]`);
    const chapter = id.split('-').slice(0, 2).join('-');
    (target ?? scroller.current?.querySelector(`#${chapter}`))?.scrollIntoView({ block: 'start', behavior: 'instant' });
    scroller.current?.focus({ preventScroll: true });
  };
  const listLabel = t('viewKinds.contents');
  const isCurrent = (id: string) => id === current || id.startsWith(`${current}-`);
  const currentEntry = book.contents.findIndex(({ id }) => isCurrent(id));
  return (
    <>
      <ViewerTools>
        <IconButton label={listLabel} aria-pressed={isListOpen} onClick={() => setListOpen(!isListOpen)}>
          <TableOfContents />
        </IconButton>
      </ViewerTools>
      <div className="book">
        {isListOpen && (
          <nav className="book__contents" aria-label={listLabel}>
            <ul onKeyDown={moveFocus}>
              {book.contents.map(({ title, id, depth }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a book may name the same place by the same words twice
                <li key={index}>
                  <button
                    type="button"
                    className="book__entry"
                    data-roving=""
                    style={{ paddingInlineStart: `calc(var(--s3) + ${Math.min(depth, 4)} * var(--s4))` }}
                    aria-current={index === currentEntry ? 'location' : undefined}
                    onClick={() => goTo(id)}
                  >
                    {title}
                  </button>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <div className="book__text">
          <Reader body={book.body} label={book.title === '' ? t('viewKinds.document') : book.title} onDrawn={onDrawn} />
        </div>
      </div>
    </>
  );
}

/** A book, its chapters one after another. */
export function EpubView({ content, place, onFindable }: ViewProps) {
  const { t } = useTranslation();
  const prepare = async (wanted: ViewProps['content'], signal: AbortSignal) =>
    openBook(await fetchBytes(wanted, signal), createBlobUrls(), {
      missingImage: (name) => (name === '' ? t('viewKinds.missingImage') : t('viewKinds.missingImageOf', { name })),
      chapter: (number) => t('viewKinds.chapter', { number }),
    });
  return (
    <Prepared content={content} most={MAX_BYTES} as="book" prepare={prepare}>
      {(book) => <Pages book={book} content={content} place={place} onFindable={onFindable} />}
    </Prepared>
  );
}
