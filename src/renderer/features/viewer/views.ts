import { type ComponentType, lazy } from 'react';
import { loadCode } from '../../api/loadCode.ts';
import type { ViewProps } from './view.ts';
import type { ViewKind } from './viewKind.ts';

const view = (load: () => Promise<ComponentType<ViewProps>>) => lazy(async () => ({ default: await loadCode(load) }));

/** The view of each kind, its code loaded when a document of the kind is opened. */
export const VIEWS: Readonly<Record<ViewKind, ComponentType<ViewProps>>> = {
  text: view(async () => (await import('./text/TextView.tsx')).TextView),
  layer: view(async () => (await import('./layer/LayerView.tsx')).LayerView),
  image: view(async () => (await import('./image/ImageView.tsx')).ImageView),
  pdf: view(async () => (await import('./pdf/PdfView.tsx')).PdfView),
  media: view(async () => (await import('./media/MediaView.tsx')).MediaView),
  markdown: view(async () => (await import('./markdown/MarkdownView.tsx')).MarkdownView),
  table: view(async () => (await import('./table/TableView.tsx')).TableView),
  office: view(async () => (await import('./office/OfficeView.tsx')).OfficeView),
  epub: view(async () => (await import('./epub/EpubView.tsx')).EpubView),
  html: view(async () => (await import('./html/HtmlView.tsx')).HtmlView),
  zip: view(async () => (await import('./zip/ZipView.tsx')).ZipView),
};
