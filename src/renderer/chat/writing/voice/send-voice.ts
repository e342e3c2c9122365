import type { Message } from '../../../../bridge/shapes/message.ts';
import { showOnce } from '../../../design/toasts.tsx';
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
  if (!(await putInTray(conversationId, recorded))) return null;
  return sendFiles(conversationId, { written: nothingWritten, replyTo });
}

/** Keeps the recording of a chat that was left. A lock discards it, and the chat shows a notice afterwards. */
export async function keepVoice(conversationId: string, recorded: Promise<Recorded>): Promise<void> {
  if (!(await putInTray(conversationId, recorded))) return;
  changeTray(conversationId, { sending: null });
  showOnce(t('files.recordingKept'));
}

/** Returns false if there is nothing to send. */
async function putInTray(conversationId: string, recorded: Promise<Recorded>): Promise<boolean> {
  // From now on a lock forgets it.
  const signal = startJob(conversationId);
  changeTray(conversationId, { sending: { done: 0, total: 0 }, notice: '' });
  const { file, durationMs } = await recorded;
  if (signal.aborted || file.size === 0) {
    const notice = t(signal.aborted ? 'files.recordingLocked' : 'files.nothingRecorded');
    changeTray(conversationId, { sending: null, notice });
    return false;
  }
  const { files } = trayOf(conversationId);
  changeTray(conversationId, { files: [...files, trayFile(file, { recordedMs: durationMs })] });
  return true;
}
