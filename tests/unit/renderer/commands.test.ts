import { describe, expect, it } from 'vitest';
import { type Command, type CommandGroup, rankCommands } from '../../../src/renderer/features/commands/rankCommands.ts';
import { readersPlatform } from '../../../src/renderer/features/pages/readersPlatform.ts';

const command = (group: CommandGroup, label: string, detail = ''): Command => ({
  id: `${group} ${label}`,
  group,
  label,
  detail,
  run: () => undefined,
});
const COMMANDS = [
  command('here', 'Members'),
  command('go', 'Favorites'),
  command('shelf', 'Old maps', 'Atlas'),
  command('shelf', 'Maps of the north', 'Atlas'),
  command('shelf', 'Bitmaps', 'Atlas'),
  command('shelf', 'Café', 'Letters'),
  command('document', 'map.pdf', 'Atlas / Maps of the north'),
];
const found = (text: string) => rankCommands(COMMANDS, text).map(({ label }) => label);

describe('the command palette', () => {
  it.each([
    ['map', ['Maps of the north', 'Old maps', 'Bitmaps', 'map.pdf']],
    ['north maps', ['Maps of the north', 'map.pdf']],
    ['cafe', ['Café']],
    ['letters', ['Café']],
    ['me', ['Members']],
    ['map.p', ['map.pdf']],
    ['nothing', []],
  ])('finds by %s', (text, labels) => expect(found(text)).toEqual(labels));
  it('puts the group with the best answer first', () => {
    const ranked = rankCommands([command('here', 'Upload a map'), command('document', 'map.pdf')], 'map');
    expect(ranked.map(({ group }) => group)).toEqual(['document', 'here']);
  });
  it('shows everything by its groups before anything is typed', () => {
    expect(found('')).toEqual(COMMANDS.map(({ label }) => label));
  });
});

describe('the system that the desktop app is offered for', () => {
  it.each([
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0', 'win32'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1', 'darwin'],
    ['Mozilla/5.0 (X11; Linux x86_64) Firefox/141.0', 'linux'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148', null],
    ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0', null],
    ['Mozilla/5.0 (X11; CrOS x86_64 15000.0) Chrome/140.0', null],
    ['', null],
  ])('%s is %s', (userAgent, platform) => expect(readersPlatform(userAgent)).toBe(platform));
});
