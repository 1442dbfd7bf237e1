import type { TextMatch } from '../../../shared/rules/find.ts';
import type { ExportPdf, LoadText, ViewedContent, ViewerPlace } from '../../api/viewer.ts';
import type { FindStep } from './find/findHost.ts';
import type { TextPlace } from './find/locate.ts';

/** A part of a document's text: a page, a slide, a sheet, or all of it. */
export interface TextSection {
  /** As search results name it: `Content`, `Page 3`, `Slide 2`, `Sheet Budget`. */
  readonly label: string;
  readonly text: string;
}

/** A match in the text of a document, in UTF-16 code units of its section. */
export type FoundMatch = TextMatch;

/** What was found, for a view to mark. */
export interface Found {
  readonly matches: readonly FoundMatch[];
  /** Which of them is looked at, to be brought into sight; -1 for none. */
  readonly active: number;
}

/** Searches the text of a document, wherever that is. */
export interface FindEngine {
  /** As `FindHost.search` (find/findHost.ts): goes on with a run until it is done, or null once a newer one began. */
  search(run: number, query: string, limit: number): Promise<FindStep | null>;
  /** Where a part of the document, or a line of it, begins; null when neither is named, or there is none such. */
  locate(label: string | null, line: number | null): Promise<TextPlace | null>;
}

/** How a view takes part in the finding. */
export interface Findable {
  /** The text that is searched. Null: the document's text layer, which the index has too. */
  readonly sections: readonly TextSection[] | null;
  /** Searches in the stead of the frame, for a view whose text stands in a worker of its own: `sections` are not asked for. */
  readonly engine?: FindEngine;
  /** Milliseconds after the last key until a search begins, where they are not 150. */
  readonly debounceMs?: number;
  /** Marks what was found; null takes the marks away. The sections are those that were searched. */
  readonly show: (found: Found | null, sections: readonly TextSection[]) => void;
}

/** What a view of one kind of document is given. */
export interface ViewProps {
  readonly content: ViewedContent;
  readonly place: ViewerPlace;
  /** Gives the document's text layer; who needs all of it takes `useTextLayer`, as the frame does. */
  readonly loadText: LoadText;
  /** To be called when the document is there, and with null when it goes. */
  readonly onFindable: (findable: Findable | null) => void;
  /** Gives pages that the server makes of the document. */
  readonly exportPdf: ExportPdf | null;
}
