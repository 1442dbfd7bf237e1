import { type ComponentType, lazy } from 'react';
import { loadCode } from '../../api/loadCode.ts';
import type { ViewProps } from './view.ts';
import type { ViewKind } from './viewKind.ts';

const view = (load: () => Promise<ComponentType<ViewProps>>) => lazy(async () => ({ default: await loadCode(load) }));

/** The view of each kind, its code loaded when a document of the kind is opened. */
export const VIEWS: Readonly<Record<Exclude<ViewKind, 'none'>, ComponentType<ViewProps>>> = {
  text: view(async () => (await import('./text/TextView.tsx')).TextView),
  image: view(async () => (await import('./image/ImageView.tsx')).ImageView),
  pdf: view(async () => (await import('./pdf/PdfView.tsx')).PdfView),
};
