import type { FilePlace } from '../../../bridge/files.ts';
import { callBridge } from '../../bridge.ts';
import { showFailure } from '../../design/toasts.tsx';
import { download } from '../../shared/download.ts';
import { t } from '../../words.tsx';

/** Saves a file that is here: the desktop app asks for a place, a browser downloads it. */
export async function saveFile(place: FilePlace, name: string): Promise<void> {
  try {
    const { kind } = await callBridge('host.info', {});
    if (kind === 'electron') {
      await callBridge('files.save', place);
      return;
    }
    const { path } = await callBridge('files.open', place);
    download(`${path}?save`, name);
  } catch (error) {
    showFailure(error as Error, t('action.saveFile'));
  }
}
