/** Dialogs for the places of backups. */
import { BACKUP_EXTENSION, type BackupDesktop } from '../host/backup-calls.ts';
import type { ElectronParts } from './electron.ts';
import { t } from './words.ts';

export function backupDesktop({ app, dialog }: Pick<ElectronParts, 'app' | 'dialog'>): BackupDesktop {
  const filters = () => [{ name: t('desktop.backups'), extensions: [BACKUP_EXTENSION] }];
  return {
    async askForPlace(name) {
      const { canceled, filePath } = await dialog.showSaveDialog({
        defaultPath: `${app.getPath('documents')}/${name}`,
        filters: filters(),
        properties: ['showOverwriteConfirmation', 'createDirectory'],
      });
      return canceled || filePath === '' ? null : filePath;
    },
    async askForBackup() {
      const { canceled, filePaths } = await dialog.showOpenDialog({
        filters: filters(),
        properties: ['openFile'],
      });
      return canceled ? null : (filePaths[0] ?? null);
    },
  };
}
