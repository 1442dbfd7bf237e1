import {
  Compass,
  CornerDownLeft,
  FileText,
  LibraryBig,
  type LucideIcon,
  MapPin,
  Rows3,
  Search,
  Settings,
  Zap,
} from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { type Command, type CommandGroup, rankCommands } from './rankCommands.ts';
import { useCommands } from './useCommands.ts';
import './commands.css';

const ICONS: Readonly<Record<CommandGroup, LucideIcon>> = {
  here: MapPin,
  go: Compass,
  library: LibraryBig,
  shelf: Rows3,
  document: FileText,
  settings: Settings,
  action: Zap,
};

const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
  PageDown: (at, count) => Math.min(at + 8, count - 1),
  PageUp: (at) => Math.max(at - 8, 0),
};

interface OptionProps {
  readonly id: string;
  readonly command: Command;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}

function Option({ id, command: { group, label, detail }, isActive, onPoint, onRun }: OptionProps) {
  const Icon = ICONS[group];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className="command"
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: 'nearest' });
      }}
      onPointerMove={onPoint}
      onClick={onRun}
    >
      <Icon aria-hidden="true" />
      <span className="command__label truncated">{label}</span>
      {detail !== undefined && <span className="command__detail muted truncated">{detail}</span>}
      {isActive && <CornerDownLeft className="command__enter" aria-hidden="true" />}
    </div>
  );
}

/** Goes to libraries, shelves, documents and settings by their names, and does what menus do. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const listId = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const commands = useCommands(text);
  const found = useMemo(() => rankCommands(commands, text), [commands, text]);
  // Documents come later than the rest: what was chosen stays so, wherever it moves to.
  const at = Math.max(
    found.findIndex(({ id }) => id === chosen),
    0,
  );
  const active = found[at];
  const optionId = (id: string) => `${listId}-${encodeURIComponent(id)}`;
  const run = (command: Command) => {
    onClose();
    void command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || active === undefined) return;
    const next = MOVES[event.key]?.(at, found.length);
    if (next !== undefined) setChosen(found[next]?.id ?? '');
    else if (event.key === 'Enter') run(active);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t('pages.commands.title')} onClose={onClose} size="lg">
      <div className="commands">
        <div className="commands__field">
          <Search aria-hidden="true" />
          <input
            type="text"
            role="combobox"
            className="commands__input"
            aria-label={t('pages.commands.label')}
            placeholder={t('pages.commands.label')}
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={active === undefined ? undefined : optionId(active.id)}
            aria-autocomplete="list"
            autoComplete="off"
            spellCheck={false}
            autoFocus
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setChosen('');
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <div id={listId} role="listbox" className="commands__list" aria-label={t('pages.commands.found')}>
          {[...new Set(found.map(({ group }) => group))].map((group) => {
            const members = found.filter((command) => command.group === group);
            return (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
              <div key={group} role="group" aria-label={t(`pages.commands.groups.${group}`)}>
                <p className="commands__group" aria-hidden="true">
                  {t(`pages.commands.groups.${group}`)}
                </p>
                {members.map((command) => (
                  <Option
                    key={command.id}
                    id={optionId(command.id)}
                    command={command}
                    isActive={command === active}
                    onPoint={() => setChosen(command.id)}
                    onRun={() => run(command)}
                  />
                ))}
              </div>
            );
          })}
        </div>
        <p className="commands__none muted" role="status">
          {found.length === 0 ? t('pages.commands.none', { text }) : ''}
        </p>
      </div>
    </Dialog>
  );
}
