import { useEffect, useState } from 'react';
import type { PickedFile } from './nameConflicts.ts';
import { pickedFromDrop } from './pickedFiles.ts';

function holdsFiles(event: DragEvent): event is DragEvent & { dataTransfer: DataTransfer } {
  return event.dataTransfer?.types.includes('Files') === true;
}

/** Takes files dropped anywhere on the page; answers whether some hover above it. */
export function useFileDrop(
  isEnabled: boolean,
  onFiles: (files: readonly PickedFile[]) => void,
  onError: (error: unknown) => void,
): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isEnabled) return;
    // Entering a child comes before leaving its parent, so the two are counted.
    let depth = 0;
    const enter = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      depth += 1;
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      pickedFromDrop(event.dataTransfer).then(onFiles, onError);
    };
    addEventListener('dragenter', enter);
    addEventListener('dragleave', leave);
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragenter', enter);
      removeEventListener('dragleave', leave);
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, [isEnabled, onFiles, onError]);
  return isOver;
}
