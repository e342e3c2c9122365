import type { Message } from '../../../../bridge/shapes.ts';
import { t } from '../../../words.tsx';
import { trayFile } from '../files/add-files.ts';
import { sendFiles } from '../files/send-files.ts';
import { changeTray, startJob, trayOf } from '../files/tray.ts';
import { nothingWritten } from '../written.ts';

export interface Recorded {
  file: File;
  durationMs: number;
}

/** Sends a voice message. After a failure it is in the tray, with the reason. */
export async function sendVoice(
  conversationId: string,
  recorded: Promise<Recorded>,
  replyTo: Message | null,
): Promise<Message | null> {
  // From now on a lock forgets it.
  const signal = startJob(conversationId);
  changeTray(conversationId, { sending: { done: 0, total: 0 }, notice: '' });
  const { file, durationMs } = await recorded;
  if (signal.aborted) return null;
  if (file.size === 0) {
    changeTray(conversationId, { sending: null, notice: t('files.nothingRecorded') });
    return null;
  }
  const { files } = trayOf(conversationId);
  changeTray(conversationId, { files: [...files, trayFile(file, durationMs)] });
  return sendFiles(conversationId, { written: nothingWritten, replyTo });
}
