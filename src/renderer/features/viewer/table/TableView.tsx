import { Sheet as SheetIcon } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { extensionOf } from '../../../ui/fileKind.ts';
import { EmptyState } from '../../../ui/States.tsx';
import { fetchBytes } from '../kit/fetchBytes.ts';
import { Prepared } from '../kit/Prepared.tsx';
import { SourceSwitch } from '../kit/SourceSwitch.tsx';
import type { Found, TextSection, ViewProps } from '../view.ts';
import { readTables } from './readTables.ts';
import { SheetGrid } from './SheetGrid.tsx';
import { SheetTabs } from './SheetTabs.tsx';
import { type CellPlace, cellAt, rowCount, rowOnLine, type Sheet } from './sheet.ts';

const MAX_BYTES = { text: 100 * 1024 * 1024, xlsx: 50 * 1024 * 1024, ods: 50 * 1024 * 1024 } as const;

function formatOf(name: string): keyof typeof MAX_BYTES {
  const extension = extensionOf(name);
  if (extension === 'ods') return 'ods';
  return extension === 'csv' || extension === 'tsv' ? 'text' : 'xlsx';
}

const labelOf = ({ name }: Sheet) => (name === '' ? 'Content' : `Sheet ${name}`);

/** A place in one of several sheets. */
interface Target extends CellPlace {
  readonly sheet: number;
}

/** Where the address says that the document opens. */
function firstTarget(sheets: readonly Sheet[], { section, line }: ViewProps['place']): Target {
  const named = sheets.findIndex((sheet) => labelOf(sheet) === section);
  const sheet = Math.max(0, named);
  const row = line === null || sheets[sheet] === undefined ? 0 : rowOnLine(sheets[sheet], line);
  return { sheet, row, column: 0 };
}

interface TablesProps extends Pick<ViewProps, 'place' | 'onFindable'> {
  readonly sheets: readonly Sheet[];
}

function SheetsOf({ sheets, place, onFindable }: TablesProps) {
  const { t } = useTranslation();
  const [target, setTarget] = useState<Target>(() => firstTarget(sheets, place));
  const [found, setFound] = useState<Found | null>(null);
  const sections = useMemo(
    (): readonly TextSection[] => sheets.map((sheet) => ({ label: labelOf(sheet), text: sheet.text })),
    [sheets],
  );
  useEffect(() => {
    const show = (now: Found | null) => {
      setFound(now);
      const active = now?.matches[now.active];
      const sheet = active === undefined ? undefined : sheets[active.section];
      if (active === undefined || sheet === undefined) return;
      setTarget({ sheet: active.section, ...cellAt(sheet, active.start) });
    };
    onFindable({ sections, show });
    return () => onFindable(null);
  }, [sheets, sections, onFindable]);
  const marks = useMemo(() => {
    const sheet = sheets[target.sheet];
    if (found === null || sheet === undefined) return new Set<number>();
    const own = found.matches.filter(({ section }) => section === target.sheet);
    return new Set(
      own.map(({ start }) => {
        const { row, column } = cellAt(sheet, start);
        return row * sheet.columns + column;
      }),
    );
  }, [sheets, found, target.sheet]);

  const sheet = sheets[target.sheet];
  if (sheet === undefined) return <EmptyState icon={SheetIcon} title={t('viewKinds.noSheets')} />;
  return (
    <div className="view">
      {sheets.length > 1 && (
        <SheetTabs
          names={sheets.map(({ name }) => name)}
          chosen={target.sheet}
          onChoose={(chosen) => setTarget({ sheet: chosen, row: 0, column: 0 })}
        />
      )}
      {rowCount(sheet) === 0 || sheet.columns === 0 ? (
        <EmptyState icon={SheetIcon} title={t('viewKinds.emptySheet')} />
      ) : (
        <div className="view__main">
          <SheetGrid key={target.sheet} sheet={sheet} target={target} marks={marks} />
        </div>
      )}
    </div>
  );
}

function Drawn({ content, place, onFindable }: ViewProps) {
  const format = formatOf(content.name);
  const prepare = async (wanted: ViewProps['content'], signal: AbortSignal) =>
    readTables(await fetchBytes(wanted, signal), format, signal);
  return (
    <Prepared content={content} most={MAX_BYTES[format]} as="table" prepare={prepare}>
      {(sheets) => <SheetsOf sheets={sheets} place={place} onFindable={onFindable} />}
    </Prepared>
  );
}

/** Tables: of a text with delimiters, which is also a text, or of a workbook. */
export function TableView(props: ViewProps) {
  if (formatOf(props.content.name) !== 'text') return <Drawn {...props} />;
  return <SourceSwitch {...props} rendered={Drawn} label="table" />;
}
