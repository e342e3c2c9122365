/** Dialogs for the places of backups. */
import type { OpenDialogOptions } from 'electron';
import { BACKUP_EXTENSION, type BackupDesktop } from '../host/backup-calls.ts';
import type { ElectronParts } from './electron.ts';
import { t } from './words.ts';

export function backupDesktop({ app, dialog }: Pick<ElectronParts, 'app' | 'dialog'>): BackupDesktop {
  const filters = () => [{ name: t('desktop.backups'), extensions: [BACKUP_EXTENSION] }];
  const askFor = async (options: OpenDialogOptions) => {
    const { canceled, filePaths } = await dialog.showOpenDialog(options);
    return canceled ? null : (filePaths[0] ?? null);
  };
  return {
    async askForPlace(name) {
      const { canceled, filePath } = await dialog.showSaveDialog({
        defaultPath: `${app.getPath('documents')}/${name}`,
        filters: filters(),
        properties: ['showOverwriteConfirmation', 'createDirectory'],
      });
      return canceled || filePath === '' ? null : filePath;
    },
    askForBackup: (from) =>
      askFor(
        from === 'file'
          ? { filters: filters(), properties: ['openFile'] }
          : { properties: ['openDirectory'] },
      ),
    askForFolder: () => askFor({ properties: ['openDirectory', 'createDirectory'] }),
  };
}
