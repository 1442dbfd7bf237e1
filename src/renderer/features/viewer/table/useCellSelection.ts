import { type KeyboardEvent, useState } from 'react';
import type { CellPlace } from './sheet.ts';

/** Rows and columns from the first to the last of what is selected. */
export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export interface CellSelection {
  /** The cell that the keys move from. */
  readonly active: CellPlace;
  readonly range: CellRange;
  /** Goes to a cell; extending selects all from where the selection began. */
  readonly goTo: (place: CellPlace, isExtending: boolean) => void;
  readonly selectAll: () => void;
  /** Handles a key; says whether it was one of a grid. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

const PAGE = 20;

/** The selection in a grid of cells, by the keys of spreadsheets. */
export function useCellSelection(rows: number, columns: number, start: CellPlace): CellSelection {
  const [active, setActive] = useState(start);
  const [origin, setOrigin] = useState(start);
  const goTo = ({ row, column }: CellPlace, isExtending: boolean) => {
    const place = {
      row: Math.max(0, Math.min(row, rows - 1)),
      column: Math.max(0, Math.min(column, columns - 1)),
    };
    setActive(place);
    if (!isExtending) setOrigin(place);
  };
  const selectAll = () => {
    setOrigin({ row: 0, column: 0 });
    setActive({ row: rows - 1, column: columns - 1 });
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const { row, column } = active;
    const isFar = event.ctrlKey || event.metaKey;
    if (isFar && event.key.toLowerCase() === 'a') {
      selectAll();
      return true;
    }
    const moves: Readonly<Record<string, CellPlace>> = {
      ArrowDown: { row: isFar ? rows : row + 1, column },
      ArrowUp: { row: isFar ? 0 : row - 1, column },
      ArrowRight: { row, column: isFar ? columns : column + 1 },
      ArrowLeft: { row, column: isFar ? 0 : column - 1 },
      PageDown: { row: row + PAGE, column },
      PageUp: { row: row - PAGE, column },
      Home: { row: isFar ? 0 : row, column: 0 },
      End: { row: isFar ? rows : row, column: columns },
    };
    const to = moves[event.key];
    if (to === undefined || event.altKey) return false;
    goTo(to, event.shiftKey);
    return true;
  };
  return {
    active,
    range: {
      top: Math.min(active.row, origin.row),
      bottom: Math.max(active.row, origin.row),
      left: Math.min(active.column, origin.column),
      right: Math.max(active.column, origin.column),
    },
    goTo,
    selectAll,
    onKey,
  };
}
