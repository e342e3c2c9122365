/** The stored body of an outbox entry: in a message, or in a control. */
import { z } from 'zod';
import { Failure, type FailureData } from '../../base/failure.ts';
import { MessageId } from '../../messaging/contents/fields.ts';
import type { MessageBody } from '../../messaging/sending/outgoing.ts';
import type { OutboxEntry } from '../cache/outbox-rows.ts';
import type { PendingControl } from '../cache/pending-controls.ts';
import { applyControl, managesNow } from '../content-store.ts';
import type { Context } from '../context.ts';
import { setCurrentEdit } from '../current-edit.ts';
import type { StoredBody } from './stored-outgoing.ts';

/**
 * Null for a deleted one.
 * @param own wire address
 */
export function storedBody(context: Context, entry: OutboxEntry, own: string): StoredBody | null {
  const { messages, sentControls } = context;
  const { messageId, controlId } = entry;
  if (messageId !== null) {
    const read = () => {
      const message = messages.get(messageId);
      return message?.deletedBy === null ? message.body : null;
    };
    return whileThere(read, (body, digest) => messages.setBody(messageId, body, digest));
  }
  if (controlId === null) return null;
  return whileThere(
    () => sentControls.get(controlId)?.body ?? null,
    (body) => {
      const before = sentControls.get(controlId)?.body;
      sentControls.setBody(controlId, body);
      // Its local time is the one that others see.
      if (body.sentAt !== before?.sentAt) applyOwn(context, entry.conversationId, own, body);
    },
  );
}

/**
 * A body that is read on each access. Null without one.
 * @param read returns null after deletion
 */
function whileThere(read: () => MessageBody | null, save: StoredBody['save']): StoredBody | null {
  if (read() === null) return null;
  return {
    get body() {
      const body = read();
      if (body === null) throw new Failure('message_deleted');
      return body;
    },
    save,
  };
}

/**
 * Applies an own control again with the time of sealing, which may be too late for its message.
 * @throws Failure edit_too_late
 */
function applyOwn(context: Context, conversationId: number, own: string, body: MessageBody): void {
  const conversation = context.conversations.get(conversationId);
  if (!conversation) return;
  const control: PendingControl = {
    ...{ channel: conversation.partner.kind, body, proof: 'signed', bot: null },
    ...{ manages: managesNow(context, conversation, own), receivedAt: context.now(), isRequested: true },
  };
  const applied = applyControl(context, conversation, own, control, () => undefined);
  if (body.kind === 'edit' && applied === 'nothing') throw new Failure('edit_too_late');
}

/**
 * Undoes a control that could not be sent: reverts an edit, removes the picture of a group, and stores the reason on the
 * message. Both are also removed from the controls that devices may request: others would show them otherwise. In the
 * caller's transaction.
 */
export function undoControl(context: Context, entry: OutboxEntry, problem: FailureData): void {
  const { annotations, faces, messages, sentControls } = context;
  const control = entry.controlId === null ? null : sentControls.get(entry.controlId);
  const owner = control?.body.kind === 'picture' ? control.body.groupId : null;
  if (typeof owner === 'string' && faces.get(owner)?.id === control?.body.id) faces.remove(owner);
  if (control && ['edit', 'picture'].includes(control.body.kind)) sentControls.remove(control.id);
  const targets = control ? targetsOf(control.body) : [];
  for (const message of messages.findAll(entry.conversationId, targets)) {
    if (control?.body.kind === 'edit') {
      annotations.dropEdit(message.id, control.body.id);
      setCurrentEdit(context, message, annotations.edits(message.id).at(-1) ?? null);
    }
    messages.setProblem(message.id, problem);
  }
}

function targetsOf({ target, targets }: MessageBody): MessageId[] {
  const found = z.array(MessageId).safeParse(targets ?? [target]);
  return found.success ? found.data : [];
}
