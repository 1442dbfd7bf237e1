import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';

export interface SheetTabsProps {
  readonly names: readonly string[];
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}

/** The sheets of a workbook, of which one is shown; as one stop of the Tab key with arrow keys within. */
export function SheetTabs({ names, chosen, onChoose }: SheetTabsProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: Math.min(chosen + 1, names.length - 1),
      ArrowLeft: Math.max(chosen - 1, 0),
      Home: 0,
      End: names.length - 1,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onChoose(to);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[to]?.focus();
  };
  return (
    <div className="sheet-tabs" role="tablist" aria-label={t('viewKinds.sheets')} ref={list} onKeyDown={onKeyDown}>
      {names.map((name, index) => (
        <button
          key={name}
          type="button"
          role="tab"
          className="sheet-tab"
          aria-selected={index === chosen}
          tabIndex={index === chosen ? 0 : -1}
          onClick={() => onChoose(index)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
