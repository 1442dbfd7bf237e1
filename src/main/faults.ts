import { app, type BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import type { Logger } from 'pino';
import type { Texts } from './texts.ts';

export interface FaultsOptions {
  readonly texts: () => Texts;
  /** Report a problem: saves what helps to find the cause. */
  readonly report: () => Promise<unknown>;
  readonly log: Logger;
}

/** What somebody can do about a fault; the first is the way on. */
interface Choice {
  readonly label: string;
  readonly run: () => unknown;
  /** The question stands until another answer is given. */
  readonly asksAgain?: boolean;
}

interface Question {
  readonly title: string;
  readonly text: string;
  readonly choices: readonly Choice[];
}

async function ask({ title, text, choices }: Question): Promise<void> {
  for (;;) {
    const options: MessageBoxOptions = {
      type: 'error',
      message: title,
      detail: text,
      buttons: choices.map(({ label }) => label),
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    };
    // Without a window: the one in question may not be able to show it.
    const { response } = await dialog.showMessageBox(options);
    const choice = choices[response] ?? choices[0];
    await choice?.run();
    if (choice?.asksAgain !== true) return;
  }
}

/** Says what went wrong where the page cannot, and offers the way on. */
export interface Faults {
  /** Watches over a window and its page. */
  watch(window: BrowserWindow): void;
}

/** Watches over all processes of the application. */
export function watchFaults({ texts, report, log }: FaultsOptions): Faults {
  let isAsking = false;
  const askOnce = (question: Question) => {
    // One dialog at a time: faults come in swarms.
    if (isAsking) return;
    isAsking = true;
    ask(question)
      .catch((error: unknown) => log.error({ err: error }, 'a dialog about a fault failed'))
      .finally(() => {
        isAsking = false;
      });
  };
  const reporting = (): Choice => ({ label: texts().report, run: report, asksAgain: true });
  const quitting = (): Choice => ({ label: texts().quit, run: () => app.quit() });

  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an exception that nobody caught');
    const { errorTitle, errorText, goOn } = texts();
    const text = `${errorText}\n\n${error.name}: ${error.message}`;
    if (app.isReady())
      askOnce({ title: errorTitle, text, choices: [{ label: goOn, run: () => undefined }, reporting(), quitting()] });
    else dialog.showErrorBox(errorTitle, text);
  });
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a failure that nobody waited for'));
  app.on('child-process-gone', (_event, { type, reason, exitCode, name }) => {
    if (reason !== 'clean-exit')
      log.error({ type, reason, exitCode, process: name }, 'a process of the application ended');
  });

  return {
    watch(window) {
      const { webContents } = window;
      let hangs = false;
      let isRestarting = false;
      webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
        if (reason === 'clean-exit' || window.isDestroyed()) return;
        if (isRestarting) {
          isRestarting = false;
          webContents.reload();
          return;
        }
        log.error({ reason, exitCode }, 'the page ended');
        const { goneTitle, goneText, reload } = texts();
        askOnce({
          title: goneTitle,
          text: goneText,
          choices: [
            { label: reload, run: () => window.isDestroyed() || webContents.reload() },
            reporting(),
            quitting(),
          ],
        });
      });
      window.on('responsive', () => {
        hangs = false;
      });
      window.on('unresponsive', () => {
        hangs = true;
        log.warn('the page does not answer');
        const { hangsTitle, hangsText, wait, reload } = texts();
        // A page that hangs does not reload: its process ends first, and is not asked about again.
        const restart = () => {
          if (!hangs || window.isDestroyed()) return;
          isRestarting = true;
          webContents.forcefullyCrashRenderer();
        };
        askOnce({
          title: hangsTitle,
          text: hangsText,
          choices: [{ label: wait, run: () => undefined }, { label: reload, run: restart }, reporting()],
        });
      });
    },
  };
}
