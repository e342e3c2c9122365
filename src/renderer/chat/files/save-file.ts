import type { FilePlace } from '../../../bridge/files.ts';
import { ask } from '../../bridge.ts';
import { showFailure } from '../../design/toasts.tsx';
import { t } from '../../words.tsx';

/** Saves a file that is here: the desktop app asks for a place, a browser downloads it. */
export async function saveFile(place: FilePlace, name: string): Promise<void> {
  try {
    const { kind } = await ask('host.info', {});
    if (kind === 'electron') {
      await ask('files.save', place);
      return;
    }
    const { path } = await ask('files.open', place);
    const link = document.createElement('a');
    link.href = `${path}?save`;
    link.download = name;
    link.click();
  } catch (error) {
    showFailure(error as Error, t('action.saveFile'));
  }
}
