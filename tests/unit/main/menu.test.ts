import { describe, expect, it, vi } from 'vitest';

vi.mock('electron', () => ({ app: { getLocale: () => 'en-GB' }, Menu: {} }));
const { menuTemplate } = await import('../../../src/main/menu.ts');
const { textsOf } = await import('../../../src/main/texts.ts');

const texts = textsOf({ get: () => null as never });
const actions = { findInFiles: vi.fn(), about: vi.fn() };
type Item = { label?: string; accelerator?: string; visible?: boolean; click?: () => void; submenu?: Item[] };
const template = (isMac: boolean, isSignedIn = true) =>
  menuTemplate({ texts, actions, isSignedIn, isMac }) as unknown as Item[];
const shown = (items: readonly Item[] = []) =>
  items
    .filter(({ visible, label }) => visible !== false && label !== undefined)
    .map(({ label, accelerator }) => [label, accelerator]);

describe('the menus (desktop-shell.md §2)', () => {
  it('are exactly File, View and Help with their keys', () => {
    const menus = template(false);
    expect(menus.map(({ label }) => label)).toEqual(['File', 'View', 'Help']);
    expect(shown(menus[0]?.submenu)).toEqual([
      ['Close', 'CmdOrCtrl+W'],
      ['Quit', 'CmdOrCtrl+Q'],
    ]);
    expect(shown(menus[1]?.submenu)).toEqual([
      ['Reload', 'CmdOrCtrl+R'],
      ['Force Reload', 'CmdOrCtrl+Shift+R'],
      ['Toggle Full Screen', 'F11'],
      ['Actual Size', 'CmdOrCtrl+0'],
      ['Zoom In', 'CmdOrCtrl+Plus'],
      ['Zoom Out', 'CmdOrCtrl+-'],
    ]);
    expect(shown(menus[2]?.submenu)).toEqual([['About', undefined]]);
  });
  it('have File for those who are signed in only (desktop-shell.md §6)', () => {
    expect(template(false, false).find(({ label }) => label === 'File')?.visible).toBe(false);
    expect(template(false, true).find(({ label }) => label === 'File')?.visible).toBe(true);
  });
  it('are the menu bar of macOS, after the one of the application, with one for the clipboard', () => {
    const menus = template(true);
    expect(menus.map(({ label }) => label)).toEqual(['Armarium', 'File', 'Edit', 'View', 'Help']);
    menus[2]?.submenu?.find(({ accelerator }) => accelerator === 'Cmd+Alt+F')?.click?.();
    expect(actions.findInFiles).toHaveBeenCalledOnce();
  });
  it('speak the language that was chosen, else that of the system', () => {
    const german = textsOf({ get: () => 'de' as never });
    expect(german.file).toBe('Datei');
    expect(Object.keys(german)).toEqual(Object.keys(texts));
    expect(Object.values(german).every((text) => text !== '')).toBe(true);
  });
});
