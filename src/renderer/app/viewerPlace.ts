import { useMemo } from 'react';
import type { ViewerPlace } from '../api/viewer.ts';
import { useSearch } from './place.ts';

/** Where the address asks the document to open; the same object as long as it asks for the same. */
export function useViewerPlace(): ViewerPlace {
  const query = new URLSearchParams(useSearch());
  const find = query.get('find') ?? '';
  const section = query.get('at');
  const line = Number(query.get('line'));
  return useMemo(
    () => ({ find, section, line: Number.isInteger(line) && line > 0 ? line : null }),
    [find, section, line],
  );
}
