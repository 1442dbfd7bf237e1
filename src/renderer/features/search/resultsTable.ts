import Papa from 'papaparse';
import type { SearchResult } from '../../../shared/model/search.ts';

/** Before it, programs for tables take a text for UTF-8. */
const MARK = '\uFEFF';

/** The list as a table for other programs, a line a result, in the order of the list. */
export function resultsTable(results: readonly SearchResult[]): string {
  const rows = results.map((result) => ({
    name: result.filename,
    path: result.path,
    library: result.libraryName ?? '',
    shelf: result.shelfName ?? '',
    version: result.versionNumber ?? '',
    matches: result.matches,
    modified: result.lastModified,
    bytes: result.size,
    author: result.author ?? '',
    commit: result.commitHash ?? '',
    message: result.commitMessage ?? '',
    removed_in: result.removedIn?.versionNumber ?? '',
    first_match: result.items[0]?.text.trim() ?? '',
  }));
  // A cell that begins like a formula would be run as one where the table is opened.
  return MARK + Papa.unparse(rows, { escapeFormulae: true });
}
