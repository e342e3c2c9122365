import { nextSentAt } from '../../messaging/contents/versions.ts';
import { randomBytes } from '../../protocol/crypto.ts';
import { decodeTime, encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { composeControl } from './compose.ts';

/**
 * Sets the timer of the direct chat with a person, for both sides. Without a chat, or if they are blocked, only here: a later
 * chat has it.
 * @param address wire address
 * @param seconds 0 for never
 * @param repeats true to send the current value again, as a value of this device
 */
export function setDirectTimer(parts: EngineParts, address: string, seconds: number, repeats = false): void {
  const { contacts, conversations, now } = parts.context;
  const current = contacts.timer(address);
  if ((current?.seconds ?? 0) === seconds && !repeats) return;
  const conversation = conversations.findByAddress(address);
  if (conversation && conversation.state !== 'blocked') {
    composeControl(parts, conversation, { kind: 'timer', seconds }, current);
    return;
  }
  const sentAt = encodeTime(nextSentAt(now(), null, current && decodeTime(current.sentAt)));
  const { address: sender } = requireOnline(parts).account;
  contacts.setTimer(address, { seconds, sentAt, id: encodeBase64Url(randomBytes(16)), sender });
}
