/** What the stand-in recorded instead of doing it. */
export interface Recorded {
  readonly openedUrls: string[];
  readonly openedPaths: string[];
  readonly shownItems: string[];
  readonly dialogs: { kind: string; options: unknown }[];
  readonly notifications: { title: string; body: string }[];
  readonly menuLabels: string[];
  /** The items of the tray's menu; empty labels are lines. */
  readonly trayLabels: string[];
  readonly relaunches: { execPath?: string; args?: string[] }[];
}

/** Kinds of dialogs whose answers a test can prepare. */
export type DialogKind = 'showOpenDialog' | 'showSaveDialog' | 'showMessageBox';

/** From the test to the process that plays Electron. */
export type ControlRequest =
  | { readonly type: 'endpoint' }
  | { readonly type: 'recorded' }
  | { readonly type: 'answerDialog'; readonly kind: DialogKind; readonly answer: unknown }
  | { readonly type: 'clickMenu'; readonly path: readonly string[] }
  | { readonly type: 'clickTray'; readonly label: string }
  | { readonly type: 'clickNotification' }
  /** Somebody turns to another window, or comes back. */
  | { readonly type: 'focus'; readonly focused: boolean }
  /** What was measured since it was asked last, and whether measuring goes on. */
  | { readonly type: 'loopDelay'; readonly goesOn: boolean }
  | { readonly type: 'quit' };

/** How long the event loop of the main process was held up since it was asked last, milliseconds. */
export interface LoopDelay {
  readonly longest: number;
  readonly p999: number;
}

export type ControlMessage =
  | { readonly type: 'answer'; readonly id: number; readonly value?: unknown; readonly error?: string }
  | { readonly type: 'openedUrl'; readonly url: string };

export const recorded: Recorded = {
  openedUrls: [],
  openedPaths: [],
  shownItems: [],
  dialogs: [],
  notifications: [],
  menuLabels: [],
  trayLabels: [],
  relaunches: [],
};
const dialogAnswers = new Map<DialogKind, unknown[]>();

/** Tells the test of something, when a test is there. */
export function tellTest(message: ControlMessage): void {
  process.send?.(message);
}

/** The next prepared answer of a dialog; without one it was cancelled. */
export function nextAnswer<T>(kind: DialogKind, options: unknown, cancelled: T): T {
  recorded.dialogs.push({ kind, options });
  const answers = dialogAnswers.get(kind) ?? [];
  return answers.length === 0 ? cancelled : ({ ...cancelled, ...(answers.shift() as object) } as T);
}

/** Serves the test over the channel that it started this process with. */
export function serveControl(
  handlers: { readonly [K in ControlRequest['type']]?: (request: Extract<ControlRequest, { type: K }>) => unknown },
): void {
  process.on('message', (message: { id: number } & ControlRequest) => {
    void (async () => {
      try {
        let value: unknown;
        if (message.type === 'recorded') value = recorded;
        else if (message.type === 'answerDialog') {
          dialogAnswers.set(message.kind, [...(dialogAnswers.get(message.kind) ?? []), message.answer]);
        } else value = await (handlers[message.type] as ((request: ControlRequest) => unknown) | undefined)?.(message);
        tellTest({ type: 'answer', id: message.id, value });
      } catch (error) {
        tellTest({ type: 'answer', id: message.id, error: String(error) });
      }
    })();
  });
  // The test has gone, however it ended: nothing of this stays behind.
  process.on('disconnect', () => process.exit(0));
}
