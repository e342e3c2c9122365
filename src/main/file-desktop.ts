/** Saving files in a folder of the person's choice, and opening them in other programs. */
import type { FileDesktop } from '../host/file-calls.ts';
import type { ElectronParts } from './electron.ts';

export function fileDesktop({ app, dialog, shell }: ElectronParts, platform: string): FileDesktop {
  return {
    platform,
    async askForPlace(name) {
      const { canceled, filePath } = await dialog.showSaveDialog({
        defaultPath: `${app.getPath('downloads')}/${name}`,
        properties: ['showOverwriteConfirmation', 'createDirectory'],
      });
      return canceled || filePath === '' ? null : filePath;
    },
    async open(path) {
      const problem = await shell.openPath(path);
      if (problem !== '') throw new Error('no program opens this file');
    },
  };
}
