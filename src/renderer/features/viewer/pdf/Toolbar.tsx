import {
  Check,
  ChevronDown,
  ChevronUp,
  EllipsisVertical,
  MoveHorizontal,
  PanelLeft,
  Printer,
  RotateCw,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { type FormEvent, type RefObject, useEffect, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu, MenuItem, MenuLine } from '../../../ui/Menu.tsx';
import { useFormats } from '../../../ui/useFormats.ts';
import { LARGEST_ZOOM, SMALLEST_ZOOM, stepZoom, type Zoom } from './zoom.ts';

/** Factors of the menu; buttons and keys know more. */
const OFFERED = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 5] as const;

export interface ToolbarProps {
  /** From 0. */
  readonly page: number;
  readonly pages: number;
  readonly zoom: Zoom;
  readonly factor: number;
  readonly isPanelOpen: boolean;
  /** The button that the panel gives the focus back to. */
  readonly panelButton: RefObject<HTMLButtonElement | null>;
  readonly onPanel: () => void;
  readonly onPage: (page: number) => void;
  readonly onZoom: (zoom: Zoom) => void;
  readonly onTurn: () => void;
  /** Null for those who may not keep the document. */
  readonly onPrint: (() => void) | null;
}

interface PageFieldProps {
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

/** The number of the page that is read; another leads there. */
function PageField({ page, pages, onPage }: PageFieldProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [text, setText] = useState(String(page + 1));
  useEffect(() => setText(String(page + 1)), [page]);
  const go = () => {
    const wanted = Number(text);
    if (!Number.isInteger(wanted) || wanted < 1) return setText(String(page + 1));
    const next = Math.min(wanted, pages) - 1;
    setText(String(next + 1));
    if (next !== page) onPage(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go();
  };
  return (
    <form className="pdf__pages" onSubmit={submit}>
      <input
        className="input pdf__page-field"
        inputMode="numeric"
        autoComplete="off"
        aria-label={t('pdf.pageNumber')}
        style={{ width: `${Math.max(2, String(pages).length)}ch` }}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={go}
      />
      <span className="muted truncated">{t('pdf.ofPages', { pages: formats.number(pages) })}</span>
    </form>
  );
}

/** What one does with a PDF. Where there is little room, what is needed less stands in a menu. */
export function Toolbar(props: ToolbarProps) {
  const { page, pages, zoom, factor, isPanelOpen, panelButton, onPanel, onPage, onZoom, onTurn, onPrint } = props;
  const { t } = useTranslation();
  const percent = (value: number) => t('pdf.percent', { value: Math.round(value * 100) });
  const fits = [
    { value: 'width', label: t('pdf.fitWidth') },
    { value: 'page', label: t('pdf.fitPage') },
  ] as const;
  return (
    <div className="pdf__bar">
      <div className="pdf__tools">
        <IconButton
          ref={panelButton}
          label={t('pdf.panel')}
          aria-expanded={isPanelOpen}
          aria-pressed={isPanelOpen}
          onClick={onPanel}
        >
          <PanelLeft />
        </IconButton>
        <span className="pdf__group">
          <IconButton
            className="pdf__wide"
            label={t('pdf.previousPage')}
            disabled={page === 0}
            onClick={() => onPage(page - 1)}
          >
            <ChevronUp />
          </IconButton>
          <IconButton
            className="pdf__wide"
            label={t('pdf.nextPage')}
            disabled={page >= pages - 1}
            onClick={() => onPage(page + 1)}
          >
            <ChevronDown />
          </IconButton>
          <PageField page={page} pages={pages} onPage={onPage} />
        </span>
        <span className="pdf__group">
          <IconButton
            className="pdf__step"
            label={t('pdf.zoomOut')}
            disabled={factor <= SMALLEST_ZOOM}
            onClick={() => onZoom(stepZoom(factor, -1))}
          >
            <ZoomOut />
          </IconButton>
          <Menu
            trigger={
              <button type="button" className="button button--quiet button--small pdf__zoom">
                <span className="visually-hidden">{t('pdf.zoom')}</span>
                {percent(factor)}
              </button>
            }
          >
            {fits.map(({ value, label }) => (
              <MenuItem key={value} onSelect={() => onZoom(value)}>
                {label}
                {zoom === value && <span className="menu__end">✓</span>}
              </MenuItem>
            ))}
            <MenuLine />
            {OFFERED.map((value) => (
              <MenuItem key={value} onSelect={() => onZoom(value)}>
                {percent(value)}
                {zoom === value && <span className="menu__end">✓</span>}
              </MenuItem>
            ))}
          </Menu>
          <IconButton
            className="pdf__step"
            label={t('pdf.zoomIn')}
            disabled={factor >= LARGEST_ZOOM}
            onClick={() => onZoom(stepZoom(factor, 1))}
          >
            <ZoomIn />
          </IconButton>
        </span>
        <span className="pdf__group pdf__wide">
          <IconButton label={t('pdf.rotate')} onClick={onTurn}>
            <RotateCw />
          </IconButton>
          {onPrint !== null && (
            <IconButton label={t('pdf.print')} onClick={onPrint}>
              <Printer />
            </IconButton>
          )}
        </span>
        <span className="pdf__narrow">
          <Menu
            trigger={
              <button type="button" className="icon-button" aria-label={t('pdf.more')}>
                <EllipsisVertical />
              </button>
            }
          >
            {/* The button for sizes goes where there is the least room. */}
            {fits.map(({ value, label }) => (
              <MenuItem key={value} onSelect={() => onZoom(value)}>
                {zoom === value ? <Check /> : <MoveHorizontal />}
                {label}
              </MenuItem>
            ))}
            <MenuLine />
            <MenuItem onSelect={onTurn}>
              <RotateCw />
              {t('pdf.rotate')}
            </MenuItem>
            {onPrint !== null && (
              <MenuItem onSelect={onPrint}>
                <Printer />
                {t('pdf.print')}
              </MenuItem>
            )}
          </Menu>
        </span>
      </div>
    </div>
  );
}
