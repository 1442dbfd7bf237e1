import { useCallback } from 'react';
import { createDomMarks } from '../domMarks.ts';
import type { ViewProps } from '../view.ts';

/** Lets a view of one section be searched by its text layer: to be called with the element that holds its text. */
export function useMarks(onFindable: ViewProps['onFindable']): (text: HTMLElement) => () => void {
  return useCallback(
    (text) => {
      const marks = createDomMarks(text, [text]);
      onFindable({ sections: null, show: marks.show });
      return () => {
        onFindable(null);
        marks.close();
      };
    },
    [onFindable],
  );
}
