import { describe, expect, it } from 'vitest';
import { EVENT_CHANNELS, PROCEDURE_CHANNELS } from '../../../src/shared/bridge/channels.ts';
import { bridge } from '../../../src/shared/bridge/index.ts';

const channels = (kind: 'procedure' | 'event') =>
  Object.entries(bridge).flatMap(([namespace, entries]) =>
    Object.entries(entries)
      .filter(([, entry]) => entry.kind === kind)
      .map(([name]) => `${namespace}.${name}`),
  );

describe('the allow-list of the preload', () => {
  it('names exactly the procedures and events of the contract', () => {
    expect([...PROCEDURE_CHANNELS].sort()).toEqual(channels('procedure').sort());
    expect([...EVENT_CHANNELS].sort()).toEqual(channels('event').sort());
  });
});
