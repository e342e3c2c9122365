/** Delivery of own messages by receipts: one query for all messages of a conversation. */
import type { Delivery } from '../../bridge/shapes/message.ts';
import { covers, type DeviceReceipt } from '../../messaging/receipts/coverage.ts';
import { formerReadersOf, isSmall, readersOf } from '../../messaging/receipts/group-receipts.ts';
import { isDirect, type MessageBody } from '../../messaging/sending/outgoing.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import type { Context } from '../context.ts';

/** The facts of a message that decide whose receipts count. */
interface OwnMessage {
  state: string;
  sender: string;
  /** Signing device; null for unsigned messages. */
  deviceId: string | null;
  body: MessageBody;
}

export interface Deliveries {
  /** The delivery confirmed by all recipients. */
  of(message: OwnMessage & ({ isDeleted: boolean } | { deletedBy: string | null })): Delivery;
  /** The delivery confirmed by each recipient, by wire address; null if there are none and none are expected. */
  byPerson(message: OwnMessage): ReadonlyMap<string, Delivery> | null;
}

/** @param own wire address */
export function deliveriesOf(context: Context, conversation: StoredConversation, own: string): Deliveries {
  const { partner } = conversation;
  const { delivered, read } = context.receiptSettings;
  const state = partner.kind === 'group' ? (context.groups.get(partner.groupId)?.state ?? null) : null;
  const expectsReceipts =
    partner.kind === 'direct' ? partner.peer.address !== own : state !== null && isSmall(state);
  let receipts: ReadonlyMap<string, DeviceReceipt> | null = null;
  const stored = () => {
    receipts ??= new Map(
      context.receipts.of(conversation.id).map((row) => [nameOf(row.address, row.deviceId), row.reported]),
    );
    return receipts;
  };
  const reportedBy = (address: string, deviceId: string) => stored().get(nameOf(address, deviceId));
  const one = (address: string, deviceId: string, seq: number): Delivery => {
    const known = reportedBy(address, deviceId);
    if (known && read && covers(known.read, seq)) return 'read';
    return known && delivered && covers(known.delivered, seq) ? 'delivered' : 'none';
  };
  const confirmed = ({ state: sent, sender, deviceId, body }: OwnMessage) => {
    if (!(delivered || read)) return null;
    if (sent !== 'sent' || sender !== own || deviceId === null || body.seq === 0) return null;
    const of = (address: string): [string, Delivery] => [address, one(address, deviceId, body.seq)];
    if (isDirect(body)) return new Map([of(body.peer)]);
    if (!state) return new Map<string, Delivery>();
    const readers = readersOf(state, body.roster.epoch, own);
    if (readers.length > 0) return new Map(readers.map(of));
    // Of the recipients with a receipt, the last to leave decides, as before.
    const former = formerReadersOf(state, body.roster.epoch, own).map(of);
    return new Map(former.filter(([, delivery]) => delivery !== 'none').slice(0, 1));
  };
  return {
    byPerson(message) {
      const all = confirmed(message);
      if (expectsReceipts) return all;
      // A group that grew keeps the receipts of its time as a small one.
      const isListed = partner.kind === 'group' && [...(all?.values() ?? [])].some((each) => each !== 'none');
      return isListed ? all : null;
    },
    of(message) {
      if ('isDeleted' in message ? message.isDeleted : message.deletedBy !== null) return 'none';
      // A group that grew keeps the deliveries of its time as a small one.
      if (!expectsReceipts && (partner.kind === 'direct' || stored().size === 0)) return 'none';
      const all = [...(confirmed(message)?.values() ?? [])];
      if (all.length === 0 || all.includes('none')) return 'none';
      return all.includes('delivered') ? 'delivered' : 'read';
    },
  };
}

const nameOf = (address: string, deviceId: string) => `${address} ${deviceId}`;
