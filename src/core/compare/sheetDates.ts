import { parseXml } from '../extract/formats/xml.ts';

/** Formats of dates and times that need not be written down in a workbook. */
const BUILT_IN: ReadonlySet<number> = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
const DAY_MS = 86_400_000;
/** The first day that counts, in days before 1970; the other one is that of old workbooks from a Mac. */
const FIRST_DAY = 25_569;
const FIRST_DAY_1904 = 24_107;

/** Whether a format shows parts of a date; what is quoted or in brackets is no part of it. */
function isDateFormat(code: string): boolean {
  return /[ymdhs]/iu.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./gu, '').replace(/general|red/giu, ''));
}

/** Numbers of a workbook that are dates by their style, as dates. */
export interface DateStyles {
  /** A number as it is kept, as people know it. */
  shown(value: string, style: string): string;
}

/** Finds which styles of a workbook show dates. */
export function createDateStyles(styles: string | null, workbook: string | null): DateStyles {
  const custom = new Set<number>();
  const dateStyles = new Set<string>();
  let inCells = false;
  let count = 0;
  parseXml(styles ?? '', {
    open(name, { numFmtId, formatCode }) {
      const id = Number(numFmtId);
      if (name === 'numFmt' && isDateFormat(formatCode ?? '')) custom.add(id);
      else if (name === 'cellXfs') inCells = true;
      else if (name === 'xf' && inCells) {
        if (BUILT_IN.has(id) || custom.has(id)) dateStyles.add(String(count));
        count += 1;
      }
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  const first = /<workbookPr\b[^>]*\bdate1904="(?:1|true)"/u.test(workbook ?? '') ? FIRST_DAY_1904 : FIRST_DAY;
  return {
    shown(value, style) {
      if (!dateStyles.has(style)) return value;
      const days = Number(value);
      const date = new Date(Math.round((days - first) * DAY_MS));
      if (value === '' || Number.isNaN(date.getTime())) return value;
      const [day = '', time = ''] = date.toISOString().slice(0, 19).split('T');
      if (days >= 0 && days < 1) return time;
      return time === '00:00:00' ? day : `${day} ${time}`;
    },
  };
}
