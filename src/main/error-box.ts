import type { ElectronParts } from './electron.ts';
import { t } from './words.ts';

/**
 * Shows an error and resolves when the person has answered. The box does not block the main process, so that
 * signals and the end of the system still end the app. Before Electron is ready, only a blocking box exists.
 */
export async function showError(
  { app, dialog }: Pick<ElectronParts, 'app' | 'dialog'>,
  title: string,
  text: string,
): Promise<void> {
  if (!app.isReady()) dialog.showErrorBox(title, text);
  else await dialog.showMessageBox({ type: 'error', title: t('desktop.app'), message: title, detail: text });
}
