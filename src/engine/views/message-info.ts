/** Details of one message: its transport and its receipts. */
import type { MessageInfo } from '../../bridge/shapes/message.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import type { StoredMessage } from '../cache/message-rows.ts';
import type { Context } from '../context.ts';
import type { Account } from '../identity/account.ts';
import { botLabel, namesOf, verifiedBy } from './conversations.ts';
import { deliveriesOf } from './deliveries.ts';
import { toDisappearing } from './messages.ts';
import { namesakesOf, namesInGroup } from './namesakes.ts';

export function toMessageInfo(
  context: Context,
  conversation: StoredConversation,
  message: StoredMessage,
  me: Pick<Account, 'address' | 'deviceId'>,
): MessageInfo {
  const { annotations } = context;
  const { id, body, sender, deviceId, suite } = message;
  const { partner } = conversation;
  const group = partner.kind === 'group' ? context.groups.get(partner.groupId) : null;
  const known = namesOf(context);
  const names = namesInGroup(group, known, namesakesOf(context, known));
  const wasWrittenHere = deviceId === me.deviceId;
  const people = deliveriesOf(context, conversation, me.address).byPerson(message);
  return {
    id: String(id),
    conversationId: String(conversation.id),
    author: names(sender),
    trust: message.trust,
    bot: botLabel(message.bot, message.trust),
    writtenAt: message.sentAt,
    sentAt: decodeTime(body.sentAt),
    receivedAt: wasWrittenHere ? null : message.receivedAt,
    device: deviceId === null ? null : { id: deviceId, isThis: wasWrittenHere },
    listSequence: body.list?.sequence ?? null,
    isVerified: verifiedBy(context, sender) !== null,
    postQuantum: suite === null ? null : suite === 0x02,
    recipients: people && [...people].map(([address, delivery]) => ({ person: names(address), delivery })),
    disappears: toDisappearing(message),
    edits: annotations.edits(id).length,
  };
}
