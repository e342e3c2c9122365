import { isBase64url } from './bytes.ts';
import { isAddress, isFields, isListOf, isRelayId, isTime } from './forms.ts';
import type { OwnDevice } from './own-account.ts';
import { Refusal } from './refusal.ts';
import { ANSWER_BYTES, mustAnswer, type Relay } from './relay.ts';
import { type Envelope, type Header, open } from './seal.ts';

/** The queue of a device: reading, opening and acknowledging envelopes (section 9). */

/** An envelope in an inbox. */
export interface InboxEnvelope extends Envelope {
  id: string;
  from: string;
  groupId?: string;
  via: 'session' | 'api_key' | 'group_token';
  receivedAt: string;
}

const VIAS: readonly unknown[] = ['session', 'api_key', 'group_token'];

function isInboxEnvelope(value: unknown): value is InboxEnvelope {
  if (!isFields(value)) return false;
  const { id, from, toAddress, recipientDeviceKey, ciphertext, groupId, via, receivedAt, asRequest } = value;
  return (
    isRelayId(id) &&
    isAddress(from) &&
    isAddress(toAddress) &&
    (recipientDeviceKey === undefined || isBase64url(recipientDeviceKey, 32)) &&
    typeof ciphertext === 'string' &&
    typeof value.ephemeralPublicKey === 'string' &&
    typeof value.nonce === 'string' &&
    (asRequest === undefined || typeof asRequest === 'boolean') &&
    (groupId === undefined || isRelayId(groupId)) &&
    VIAS.includes(via) &&
    isTime(receivedAt)
  );
}

export interface Page {
  envelopes: InboxEnvelope[];
  more: boolean;
}

/** A page of the queue, oldest first. `wait` in seconds, at most 30. */
export async function readInbox(
  relay: Relay,
  deviceId: string,
  options: { limit?: number; wait?: number } = {},
): Promise<Page> {
  const { limit = 100, wait = 0 } = options;
  const query = new URLSearchParams({ device: deviceId, limit: String(limit) });
  if (wait > 0) query.set('wait', String(wait));
  const timeoutMs = (wait + 60) * 1000;
  const { body } = await relay.call(`/inbox?${query}`, { mostBytes: ANSWER_BYTES.inbox, timeoutMs });
  mustAnswer(body.device === deviceId, 'another device');
  mustAnswer(isListOf(body.envelopes, 0, limit, isInboxEnvelope), 'envelopes');
  mustAnswer(typeof body.more === 'boolean', 'more');
  return { envelopes: body.envelopes, more: body.more };
}

const ACK_MOST = 1_000;

/** Acknowledges envelopes, including invalid ones and those that cannot be opened. */
export async function acknowledge(relay: Relay, deviceId: string, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += ACK_MOST) {
    const body = { device: deviceId, ids: ids.slice(at, at + ACK_MOST) };
    await relay.call('/inbox/ack', { method: 'POST', body });
  }
}

/** Opens a copy with the matching private half. Without `recipientDeviceKey` all remaining ones are tried. */
export async function openCopy(
  device: OwnDevice,
  envelope: InboxEnvelope,
): Promise<{ header: Header; payload: Uint8Array }> {
  const route = { from: envelope.from, to: envelope.toAddress };
  const { recipientDeviceKey } = envelope;
  const fitting = device.secrets.filter(
    ({ key }) =>
      recipientDeviceKey === undefined || Buffer.from(key).toString('base64url') === recipientDeviceKey,
  );
  for (const secret of fitting.toReversed()) {
    try {
      return await open(route, secret, envelope);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  throw new Refusal('cannot_open');
}
