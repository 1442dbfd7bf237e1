import { FileQuestionMark } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/States.tsx';
import { NotShown } from '../kit/NotShown.tsx';
import { whyNoText } from '../kit/refusal.ts';
import { RowList, type RowListHandle } from '../text/RowList.tsx';
import { NO_MATCHES, RowText, rowMatches } from '../text/RowText.tsx';
import { useTextLayer } from '../textLayer.ts';
import type { Found, TextSection, ViewProps } from '../view.ts';
import { layerRows } from './layerRows.ts';
import './layer.css';

const ROW_HEIGHT = 24;
const ignored = () => undefined;

type LayerRowsProps = Pick<ViewProps, 'place' | 'onFindable'> & { readonly sections: readonly TextSection[] };

function LayerRows({ sections, place: { section, line }, onFindable }: LayerRowsProps) {
  const { t } = useTranslation();
  const list = useRef<RowListHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const [found, setFound] = useState<Found | null>(null);
  const rows = useMemo(() => layerRows(sections), [sections]);
  useEffect(() => {
    onFindable({ sections: null, show: setFound });
    return () => onFindable(null);
  }, [onFindable]);

  const reveal = useCallback((row: number) => {
    if (row >= 0) list.current?.reveal(row);
  }, []);
  useEffect(() => {
    if (section === null && line === null) return;
    const part = section === null ? 0 : sections.findIndex(({ label }) => label === section);
    reveal(rows.findIndex((row) => row.section === part && (line === null || row.line === line)));
  }, [section, line, sections, rows, reveal]);
  const active = found?.matches[found.active];
  useEffect(() => {
    if (active === undefined) return;
    reveal(
      rows.findLastIndex((row) => row.kind === 'line' && row.section === active.section && row.start <= active.start),
    );
  }, [active, rows, reveal]);
  // A page is one long row: the match in it is brought into sight once it is drawn.
  useEffect(() => {
    if (active === undefined) return;
    const frame = requestAnimationFrame(() => {
      box.current?.querySelector('mark[data-active="true"]')?.scrollIntoView({ block: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, [active]);
  const bySection = useMemo(() => {
    const grouped = Map.groupBy(found?.matches ?? [], (match) => match.section);
    return new Map([...grouped].map(([index, matches]) => [index, rowMatches(matches, active)]));
  }, [found, active]);

  const renderRow = (index: number) => {
    const row = rows[index];
    if (row === undefined) return null;
    const marks = row.kind === 'label' ? NO_MATCHES : (bySection.get(row.section) ?? NO_MATCHES);
    return (
      <div key={index} data-row={index} className={`layer__row layer__row--${row.kind}`}>
        <RowText text={row.text} start={row.start} colours={[]} found={marks} />
      </div>
    );
  };
  return (
    <div className="layer" ref={box}>
      <RowList
        ref={list}
        count={rows.length}
        rowHeight={ROW_HEIGHT}
        isWrapped
        label={t('viewer.text')}
        className="row-list row-list--wrapped"
        renderRow={renderRow}
        onRange={ignored}
      />
    </div>
  );
}

/** The text of a document that is not drawn: since there is no view of its kind, or because only its text is given. */
export function LayerView({ content, loadText, place, onFindable }: ViewProps) {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useTextLayer(content.key, loadText, content.size > 0);
  if (content.size === 0) return <EmptyState icon={FileQuestionMark} title={t('version.empty')} />;
  if (isPending) return <LoadingRows rows={10} shape="text" />;
  if (data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data.problem !== null) return <NotShown content={content} why={whyNoText(data.problem, content.name)} />;
  return <LayerRows sections={data.sections} place={place} onFindable={onFindable} />;
}
