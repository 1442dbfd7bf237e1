import { useEffect } from 'react';
import brand from '../../../resources/brand.json';

/** The document's title: the screen, then the product. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined || title === '' ? brand.name : `${title} · ${brand.name}`;
  }, [title]);
}
