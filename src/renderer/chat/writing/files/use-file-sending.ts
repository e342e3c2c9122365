import { useEffect, useEffectEvent } from 'react';
import type { Conversation } from '../../../../bridge/shapes/conversation.ts';
import type { Message } from '../../../../bridge/shapes/message.ts';
import { showOnce } from '../../../design/toasts.tsx';
import { t } from '../../../words.tsx';
import { useActions } from '../../actions/action-state.tsx';
import type { TimelineControl } from '../../use-timeline.ts';
import { useGivenFiles } from '../given-files.ts';
import { type Recorded, sendVoice } from '../voice/send-voice.ts';
import { joinedTexts, type Written } from '../written.ts';
import { addFiles, type Given } from './add-files.ts';
import { sendFiles } from './send-files.ts';
import { type Caption, changeTray, type Tray, useTray } from './tray.ts';

interface FileSendingOptions {
  conversation: Conversation;
  written: Written;
  write: (next: Written) => void;
  timeline: TimelineControl;
  /** True during a voice message. */
  isRecording: boolean;
}

export interface FileSending {
  tray: Tray;
  /** True while files are held over the window. */
  isOver: boolean;
  add: (files: readonly File[]) => void;
  /** Sends the tray with a caption, which returns to the field after a failure. */
  send: (caption: Caption) => void;
  sendVoice: (recorded: Promise<Recorded>, replyTo: Message | null) => void;
  /** Removes the sentence about files that were not added or not sent. */
  clearNotice: () => void;
}

/** The files of a chat's composer. */
export function useFileSending(options: FileSendingOptions): FileSending {
  const { conversation, written, write, timeline, isRecording } = options;
  const { id } = conversation;
  const { composing, compose } = useActions();
  const isEditing = composing?.kind === 'edit';
  const tray = useTray(id);
  const receive = (given: Given) => {
    if (isEditing) showOnce(t('files.endEdit'));
    else if (isRecording) showOnce(t('files.endRecording'));
    else void addFiles(id, given);
  };
  const isOver = useGivenFiles(receive);

  const { returned } = tray;
  const restore = useEffectEvent((caption: Caption) => {
    changeTray(id, { returned: null });
    write(joinedTexts(caption.written, written));
    if (caption.replyTo && !composing) compose({ kind: 'reply', message: caption.replyTo });
  });
  useEffect(() => {
    // During an edit the field has another text.
    if (returned && !isEditing) restore(returned);
  }, [returned, isEditing]);

  const follow = async (sent: Promise<Message | null>) => {
    const message = await sent;
    if (!message) return;
    if (timeline.timeline?.hasNewer) void timeline.moveToNewest();
    else timeline.put(message);
  };
  return {
    tray,
    isOver,
    add: (files) => receive({ files, hasFolder: false }),
    send: (caption) => void follow(sendFiles(id, caption)),
    sendVoice: (recorded, replyTo) => void follow(sendVoice(id, recorded, replyTo)),
    clearNotice: () => changeTray(id, { notice: '' }),
  };
}
