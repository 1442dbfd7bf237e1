import type { ViewedContent, ViewerPlace } from '../../api/viewer.ts';

/** A part of a document's text: a page, a slide, a sheet, or all of it. */
export interface TextSection {
  /** As search results name it: `Content`, `Page 3`, `Slide 2`, `Sheet Budget`. */
  readonly label: string;
  readonly text: string;
}

/** A match in the text of a document, in UTF-16 code units of its section. */
export interface FoundMatch {
  readonly section: number;
  readonly start: number;
  readonly end: number;
}

/** What was found, for a view to mark. */
export interface Found {
  readonly matches: readonly FoundMatch[];
  /** Which of them is looked at, to be brought into sight; -1 for none. */
  readonly active: number;
}

/** How a view takes part in the finding. */
export interface Findable {
  /** The text that is searched. Null: the document's text layer, which the index has too. */
  readonly sections: readonly TextSection[] | null;
  /** Marks what was found; null takes the marks away. The sections are those that were searched. */
  readonly show: (found: Found | null, sections: readonly TextSection[]) => void;
}

/** What a view of one kind of document is given. */
export interface ViewProps {
  readonly content: ViewedContent;
  readonly place: ViewerPlace;
  /** To be called when the document is there, and with null when it goes. */
  readonly onFindable: (findable: Findable | null) => void;
}
