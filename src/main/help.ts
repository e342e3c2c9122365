/** Actions of the Help menu. They do not need the window, which may be locked or broken. */
import { failureFrom } from '../base/failure.ts';
import { toFailure } from '../base/log.ts';
import { type HostProcedures, hostProcedures, type Output } from '../bridge/contract.ts';
import type { Calls } from '../host/calls.ts';
import type { AppClipboard } from './clipboard.ts';
import type { ElectronParts } from './electron.ts';
import { showError } from './error-box.ts';
import type { MenuActions } from './menu.ts';
import { failureText, t } from './words.ts';

/**
 * Shows the log folder in the system's file manager; false if that fails. The page cannot choose the path.
 */
export async function openFolder({ shell }: Pick<ElectronParts, 'shell'>, path: string): Promise<boolean> {
  return (await shell.openPath(path)) === '';
}

export function helpActions(electron: ElectronParts, calls: Calls, clipboard: AppClipboard): MenuActions {
  const refuse = (title: string, error: unknown) =>
    void showError(electron, title, failureText(toFailure(error).data));
  const copy = async () => {
    const { text } = await callHost(calls, 'diagnostics.text');
    await clipboard.copy(text, false);
    const [message, detail] = [t('desktop.copied'), t('desktop.copiedText')];
    await electron.dialog.showMessageBox({ type: 'info', title: t('desktop.app'), message, detail });
  };
  const open = async () => {
    const { isOpened, path } = await callHost(calls, 'diagnostics.openLogs');
    if (!isOpened) await showError(electron, t('desktop.logsNotOpened'), path);
  };
  return {
    copyDiagnostics: () => void copy().catch((error) => refuse(t('desktop.notCopied'), error)),
    openLogs: () => void open().catch((error) => refuse(t('desktop.logsNotOpened'), error)),
  };
}

/** @throws Failure */
async function callHost<P extends keyof HostProcedures>(calls: Calls, name: P): Promise<Output<P>> {
  const answer = await calls.call(name, {});
  if (!answer.ok) throw failureFrom(answer.failure);
  return hostProcedures[name].output.parse(answer.value) as Output<P>;
}
