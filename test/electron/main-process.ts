/**
 * The main process of an Electron that can be inspected. In the packaged app a fuse has turned inspection off.
 * It speaks the protocol of Node's inspector (https://chromedevtools.github.io/devtools-protocol/v8/Runtime/).
 */
import { once } from 'node:events';
import type * as Electron from 'electron';

interface Answer {
  id?: number;
  error?: { message: string };
  result?: { result?: { value?: unknown }; exceptionDetails?: { exception?: { description?: string } } };
}

export class MainProcess {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const answer = JSON.parse(String(data)) as Answer;
      this.#waiting.get(answer.id ?? 0)?.(answer);
      this.#waiting.delete(answer.id ?? 0);
    });
    socket.addEventListener('close', () => {
      for (const settle of this.#waiting.values()) settle({ error: { message: 'the app has ended' } });
      this.#waiting.clear();
    });
  }

  /** @param url as Node prints it: `Debugger listening on ws://…` */
  static async connect(url: string): Promise<MainProcess> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    return new MainProcess(socket);
  }

  /**
   * Runs a function there. It cannot use variables of this process.
   * @param given its argument beside `electron`, as JSON
   * @throws Error with the function's own message, or if the process ends meanwhile
   */
  async run<Given, Result>(
    work: (electron: typeof Electron, given: Given) => Result,
    given: Given,
  ): Promise<Awaited<Result>> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const id = ++this.#lastId;
    this.#waiting.set(id, resolve);
    const params = {
      expression: `(${work})(require('electron'), ${JSON.stringify(given)})`,
      // Provides `require`: the app's own code consists of ES modules.
      includeCommandLineAPI: true,
      awaitPromise: true,
      returnByValue: true,
    };
    this.#socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }));
    const { error, result } = await promise;
    const thrown = result?.exceptionDetails?.exception?.description ?? error?.message;
    if (thrown !== undefined) throw new Error(thrown);
    return result?.result?.value as Awaited<Result>;
  }

  close(): void {
    this.#socket.close();
  }
}

/** Notifications of the app, as stored in its main process. */
interface Kept {
  notifications: Electron.Notification[];
}

/** Makes the main process store every notification from now on. */
export async function keepNotifications(main: MainProcess): Promise<void> {
  await main.run((electron) => {
    const kept: Kept = { notifications: [] };
    Object.assign(globalThis, kept);
    const { prototype } = electron.Notification;
    const { on } = prototype;
    // The app listens to each one that it creates.
    prototype.on = function (this: Electron.Notification, ...args: Parameters<typeof on>) {
      if (!kept.notifications.includes(this)) kept.notifications.push(this);
      return on.apply(this, args);
    } as typeof on;
  }, null);
}

/** Texts of the stored notifications. */
export function keptNotifications(main: MainProcess): Promise<{ title: string; body: string }[]> {
  return main.run(() => {
    const { notifications } = globalThis as unknown as Kept;
    return notifications.map(({ title, body }) => ({ title, body }));
  }, null);
}

/** The person clicks the first of them. */
export async function clickNotification(main: MainProcess): Promise<void> {
  await main.run(() => {
    (globalThis as unknown as Kept).notifications[0]?.emit('click');
  }, null);
}

export async function hideWindow(main: MainProcess): Promise<void> {
  await main.run(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide(), null);
}

/** The computer wakes. */
export async function wake(main: MainProcess): Promise<void> {
  await main.run(({ powerMonitor }) => {
    powerMonitor.emit('resume');
  }, null);
}

/** The computer goes to sleep. */
export async function systemSleeps(main: MainProcess): Promise<void> {
  await main.run(({ powerMonitor }) => {
    powerMonitor.emit('suspend');
  }, null);
}

/**
 * Answers the app's questions in place of the person, without a box; presses the first button unless `answerQuestions`
 * changes it.
 */
export async function keepQuestions(main: MainProcess): Promise<void> {
  await main.run(({ dialog }) => {
    const kept = { questions: [] as string[], answer: 0 as number | null, waiting: [] as (() => void)[] };
    Object.assign(globalThis, kept);
    dialog.showMessageBox = (async (
      window: Electron.BrowserWindow,
      { message }: Electron.MessageBoxOptions,
    ) => {
      const shared = globalThis as unknown as typeof kept;
      shared.questions.push(message);
      // A person answers after the page has been stopped from unloading. Chromium still cancels that load until
      // the page runs a script again, and drops a reload that is requested before.
      await window.webContents.executeJavaScript('0');
      while (shared.answer === null) await new Promise<void>((resolve) => shared.waiting.push(resolve));
      return { response: shared.answer, checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
  }, null);
}

export const keptQuestions = (main: MainProcess): Promise<string[]> =>
  main.run(() => (globalThis as unknown as { questions: string[] }).questions, null);

/** @param button the place of the button for open and later questions; null leaves them open */
export async function answerQuestions(main: MainProcess, button: number | null): Promise<void> {
  await main.run((_electron, answer) => {
    const shared = Object.assign(globalThis, { answer }) as unknown as { waiting: (() => void)[] };
    for (const resolve of shared.waiting.splice(0)) resolve();
  }, button);
}

/** Answers the dialog for saving in place of the person. @param filePath null cancels */
export async function answerSaving(main: MainProcess, filePath: string | null): Promise<void> {
  await main.run(({ dialog }, given) => {
    const kept = { proposed: [] as string[] };
    Object.assign(globalThis, kept);
    dialog.showSaveDialog = (async ({ defaultPath = '' }: Electron.SaveDialogOptions) => {
      kept.proposed.push(defaultPath);
      return { canceled: given === null, filePath: given ?? '' };
    }) as typeof dialog.showSaveDialog;
  }, filePath);
}

/** Paths proposed by that dialog since its answer was given. */
export const proposedPaths = (main: MainProcess): Promise<string[]> =>
  main.run(() => (globalThis as unknown as { proposed: string[] }).proposed, null);

/** Answers the dialog for opening a file in place of the person. */
export async function answerOpening(main: MainProcess, filePath: string): Promise<void> {
  await main.run(({ dialog }, given) => {
    dialog.showOpenDialog = (async () => ({
      canceled: false,
      filePaths: [given],
    })) as typeof dialog.showOpenDialog;
  }, filePath);
}

/** Saves downloads of the page at a path, without the dialog of the system. */
export async function saveDownloads(main: MainProcess, path: string): Promise<void> {
  await main.run(({ BrowserWindow }, given) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.webContents.session.on('will-download', (_event, item) => item.setSavePath(given));
  }, path);
}
