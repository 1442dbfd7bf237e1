import { Fragment } from 'react';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import './commands.css';

/** Written as on this machine's keys. */
const isMac = /mac/iu.test(navigator.userAgent);
const MOD = isMac ? '⌘' : 'Ctrl';
const ALT = isMac ? '⌥' : 'Alt';
const DELETE = isMac ? '⌦' : 'Del';

const ANYWHERE = [
  { name: 'palette', keys: [[MOD, 'K']] },
  { name: 'find', keys: [[MOD, ALT, 'F']] },
  { name: 'shortcuts', keys: [['?']] },
  { name: 'close', keys: [['Esc']] },
] as const;

const LISTS = [
  { name: 'move', keys: [['↑'], ['↓']] },
  { name: 'ends', keys: [['Home'], ['End']] },
  { name: 'leap', keys: [['PgUp'], ['PgDn']] },
  { name: 'open', keys: [['Enter']] },
  { name: 'select', keys: [['Space']] },
  {
    name: 'extend',
    keys: [
      ['Shift', '↑'],
      ['Shift', '↓'],
    ],
  },
  { name: 'all', keys: [[MOD, 'A']] },
  { name: 'jump', keys: [['A'], ['…'], ['Z']] },
  { name: 'rename', keys: [['F2']] },
  { name: 'remove', keys: [[DELETE]] },
] as const;

const FINDING = [
  { name: 'results', keys: [['↓']] },
  { name: 'matches', keys: [['→']] },
  { name: 'files', keys: [['←']] },
  { name: 'copyPath', keys: [[MOD, 'C']] },
  { name: 'forget', keys: [[DELETE]] },
] as const;

const READING = [
  { name: 'findHere', keys: [[MOD, 'F']] },
  { name: 'nextMatch', keys: [['F3'], ['Enter']] },
  {
    name: 'previousMatch',
    keys: [
      ['Shift', 'F3'],
      ['Shift', 'Enter'],
    ],
  },
  { name: 'nextChange', keys: [['N'], ['F7']] },
  { name: 'previousChange', keys: [['P'], ['Shift', 'F7']] },
] as const;

const PAGES = [
  { name: 'nextPage', keys: [['N']] },
  { name: 'previousPage', keys: [['P']] },
  { name: 'zoom', keys: [['+'], ['-']] },
  { name: 'fit', keys: [['0']] },
  { name: 'rotate', keys: [['R']] },
] as const;

const TABLES = [
  { name: 'edge', keys: [[MOD, '↓'], ['…'], [MOD, '→']] },
  { name: 'copyCells', keys: [[MOD, 'C']] },
] as const;

const WRITING = [{ name: 'send', keys: [[MOD, 'Enter']] }] as const;

const WINDOW = [
  { name: 'zoomIn', keys: [[MOD, '+']] },
  { name: 'zoomOut', keys: [[MOD, '-']] },
  { name: 'actualSize', keys: [[MOD, '0']] },
  { name: 'fullscreen', keys: [isMac ? ['Ctrl', '⌘', 'F'] : ['F11']] },
  { name: 'reload', keys: [[MOD, 'R']] },
  { name: 'forceReload', keys: [[MOD, 'Shift', 'R']] },
  { name: 'closeWindow', keys: [[MOD, 'W']] },
  { name: 'quit', keys: [[MOD, 'Q']] },
] as const;

function Keys({ keys }: { readonly keys: readonly (readonly string[])[] }) {
  return keys.map((combination, index) => (
    <Fragment key={combination.join('+')}>
      {index > 0 && ' '}
      <kbd className="shortcut__keys">
        {combination.map((key) => (
          <kbd key={key} className="kbd">
            {key}
          </kbd>
        ))}
      </kbd>
    </Fragment>
  ));
}

/** The keys that work here. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { windowControls } = useServices().platform;
  const groups = [
    { name: 'anywhere', entries: ANYWHERE },
    { name: 'lists', entries: LISTS },
    { name: 'finding', entries: FINDING },
    { name: 'reading', entries: READING },
    { name: 'pages', entries: PAGES },
    { name: 'tables', entries: TABLES },
    { name: 'writing', entries: WRITING },
    ...(windowControls === null ? [] : [{ name: 'window', entries: WINDOW } as const]),
  ] as const;
  return (
    <Dialog title={t('nav.shortcuts')} onClose={onClose} size="lg">
      <div className="shortcuts">
        {groups.map(({ name, entries }) => (
          <section key={name}>
            <h3 className="shortcuts__group">{t(`pages.shortcuts.groups.${name}`)}</h3>
            <dl>
              {entries.map((entry) => (
                <div key={entry.name} className="shortcut">
                  <dt>{t(`pages.shortcuts.${entry.name}`)}</dt>
                  <dd>
                    <Keys keys={entry.keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
