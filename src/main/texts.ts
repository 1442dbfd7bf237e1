import { app } from 'electron';
import brand from '../../resources/brand.json' with { type: 'json' };
import type { SettingsStore } from './settings.ts';

const { name } = brand;

/** What the shell itself says, in English: native menus, tray, and dialogs where there is no page to say it. */
const en = {
  about: `About ${name}`,
  aboutShort: 'About',
  file: 'File',
  close: 'Close',
  quit: 'Quit',
  edit: 'Edit',
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  selectAll: 'Select All',
  findInFiles: 'Find in Files',
  view: 'View',
  reload: 'Reload',
  forceReload: 'Force Reload',
  toggleFullscreen: 'Toggle Full Screen',
  actualSize: 'Actual Size',
  zoomIn: 'Zoom In',
  zoomOut: 'Zoom Out',
  help: 'Help',
  open: `Open ${name}`,
  recentShelves: 'Recent Shelves',
  chooseWorkspace: 'Choose the workspace folder',
  addLocalFolder: 'Add a local folder',
  report: 'Report a Problem…',
  saveReport: 'Save the report',
  goneTitle: 'The window has stopped working',
  goneText: 'What was saved is safe. Reload to go on where you were.',
  hangsTitle: 'The window is not responding',
  hangsText: 'It may be busy with something large. You can wait, or reload the window, which loses what was not saved.',
  wait: 'Wait',
  errorTitle: `Something in ${name} went wrong`,
  errorText: `You can go on. Save your work, and start ${name} again when it suits you. A report helps to find the cause.`,
  goOn: 'Go On',
};
/** The shell's words in one language. */
export type Texts = typeof en;

const de: Texts = {
  about: `Über ${name}`,
  aboutShort: 'Über',
  file: 'Datei',
  close: 'Schließen',
  quit: 'Beenden',
  edit: 'Bearbeiten',
  undo: 'Widerrufen',
  redo: 'Wiederholen',
  cut: 'Ausschneiden',
  copy: 'Kopieren',
  paste: 'Einsetzen',
  selectAll: 'Alles auswählen',
  findInFiles: 'In Dateien suchen',
  view: 'Ansicht',
  reload: 'Neu laden',
  forceReload: 'Vollständig neu laden',
  toggleFullscreen: 'Vollbild umschalten',
  actualSize: 'Originalgröße',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  help: 'Hilfe',
  open: `${name} öffnen`,
  recentShelves: 'Zuletzt geöffnete Regale',
  chooseWorkspace: 'Arbeitsordner wählen',
  addLocalFolder: 'Lokalen Ordner hinzufügen',
  report: 'Problem melden …',
  saveReport: 'Bericht speichern',
  goneTitle: 'Das Fenster funktioniert nicht mehr',
  goneText: 'Was gespeichert war, ist sicher. Laden Sie neu, um dort weiterzumachen, wo Sie waren.',
  hangsTitle: 'Das Fenster reagiert nicht',
  hangsText:
    'Vielleicht ist es mit etwas Großem beschäftigt. Sie können warten oder das Fenster neu laden; Ungespeichertes geht dabei verloren.',
  wait: 'Warten',
  errorTitle: `In ${name} ist etwas schiefgegangen`,
  errorText: `Sie können weiterarbeiten. Speichern Sie, und starten Sie ${name} neu, wenn es Ihnen passt. Ein Bericht hilft, die Ursache zu finden.`,
  goOn: 'Weiter',
};

const CATALOGUES = { en, de } as const;

/** The shell's words in the language chosen in the page, else in the system's. */
export function textsOf(settings: Pick<SettingsStore, 'get'>): Texts {
  return CATALOGUES[settings.get('language') ?? (app.getLocale().toLowerCase().startsWith('de') ? 'de' : 'en')];
}
