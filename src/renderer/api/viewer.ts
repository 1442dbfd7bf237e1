import type { ExportAnswer } from '../../shared/api/pdfExport.ts';
import type { TextPart } from '../../shared/model/documentText.ts';

/** A content that can be shown. */
export interface ViewedContent {
  /** What tells it from any other; a content never changes. */
  readonly key: string;
  /** The document's name in its shelf. */
  readonly name: string;
  readonly mime: string;
  /** In bytes. */
  readonly size: number;
  /** Where it is had, also by ranges. */
  readonly url: string;
  /** Where it is had to be kept; null when whoever looks may not. */
  readonly downloadUrl: string | null;
  /** Set where only the text is given: the content itself is not to be had. */
  readonly isTextOnly?: boolean;
}

/** Where a document opens. */
export interface ViewerPlace {
  /** What is found in it from the start; empty for nothing. */
  readonly find: string;
  /** The part, by the label that search results give it: `Page 3`, `Slide 2`, `Sheet Budget`. */
  readonly section: string | null;
  /** Line of the part, from 1. */
  readonly line: number | null;
}

/** Gives a document's text, as the index has it, from a place on. */
export type LoadText = (from: number, signal: AbortSignal) => Promise<TextPart>;

/** Has the server make a PDF of a document, where it can. */
export type ExportPdf = (signal: AbortSignal) => Promise<ExportAnswer>;

/** What the viewer is given. */
export interface ViewerProps {
  readonly content: ViewedContent;
  readonly place: ViewerPlace;
  readonly loadText: LoadText;
  /** Null for those who may not have documents as PDF. */
  readonly exportPdf: ExportPdf | null;
}
