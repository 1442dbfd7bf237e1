import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import { EVENT_CHANNELS, PROCEDURE_CHANNELS } from '../shared/bridge/channels.ts';
import type { BridgePort } from '../shared/bridge/contract.ts';

const procedures: ReadonlySet<string> = new Set(PROCEDURE_CHANNELS);
const events: ReadonlySet<string> = new Set(EVENT_CHANNELS);

function allowed(channels: ReadonlySet<string>, channel: string): void {
  if (!channels.has(channel)) throw new Error(`no such channel: ${String(channel)}`);
}

/** What the page gets of the shell: calls and subscriptions by name, on an allow-list; no event objects, no ipcRenderer. */
const port: BridgePort = {
  invoke(channel, input) {
    allowed(procedures, channel);
    return ipcRenderer.invoke(channel, input);
  },
  on(channel, listener) {
    allowed(events, channel);
    const forward = (_event: IpcRendererEvent, payload: unknown) => listener(payload);
    ipcRenderer.on(channel, forward);
    return () => {
      ipcRenderer.removeListener(channel, forward);
    };
  },
};

contextBridge.exposeInMainWorld('armarium', port);
