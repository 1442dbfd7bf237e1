import type { StaticPage } from '../../../app/routes.ts';

/** A paragraph, or the items of a list. */
export type Block = string | readonly string[];

/** What a page says. Addresses in it become links. */
export interface PageText {
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly { readonly title: string; readonly body: readonly Block[] }[];
}

/** All pages in one language. They are as long as all other messages together, and are loaded with the first page alone. */
export type PageTexts = Readonly<Record<StaticPage, PageText>>;
