import type { Bot } from './bots.ts';
import { type Content, contentOf } from './contents.ts';
import { type DeviceList, deviceIn, hasEnded } from './device-list.ts';
import { msOf } from './forms.ts';
import { judgeGroupMessage } from './group-messages.ts';
import { claim, hasOpenClaim, judgeEvidence } from './known.ts';
import type { Memory } from './memory.ts';
import { type InboxEnvelope, openCopy } from './opening.ts';
import type { OwnDevice } from './own-account.ts';
import { type Body, decodePayload, isSignedUnder, type Payload } from './payload.ts';
import { must, Refusal } from './refusal.ts';
import { timesCount } from './replay.ts';
import { mayBeSent, type Proof } from './rights.ts';
import type { Header } from './seal.ts';

/** Checks of a recipient on an envelope, in the order of section 7. */

export interface Accepted {
  is: 'accepted';
  envelope: InboxEnvelope;
  header: Header;
  payload: Payload;
  body: Body;
  content: Content;
  proof: Proof;
  bot?: Bot;
  note?: string;
}

export type Verdict =
  | Accepted
  /** The envelope is not shown, but acknowledged. */
  | { is: 'set_aside'; envelope: InboxEnvelope; reason: string }
  /** Kept until the chain of its group advances. */
  | { is: 'held'; envelope: InboxEnvelope; payload: Payload };

/** Relay queries for all envelopes of a page. */
export interface Asking {
  /** Fetches and verifies the keys of an address again. */
  keys(address: string): Promise<void>;
  /** Fetches the chain of a group again. */
  group(id: string): Promise<void>;
}

export interface Judge {
  device: OwnDevice;
  memory: Memory;
  fetch: Asking;
  now: number;
}

/** Judges one envelope. `receivedAt` is the time at which it counts as received, in milliseconds. */
export async function judgeEnvelope(
  judge: Judge,
  envelope: InboxEnvelope,
  receivedAt: number,
): Promise<Verdict> {
  try {
    return await judgeAll(judge, envelope, receivedAt);
  } catch (error) {
    if (error instanceof Refusal) return { is: 'set_aside', envelope, reason: error.reason };
    throw error;
  }
}

async function judgeAll(judge: Judge, envelope: InboxEnvelope, receivedAt: number): Promise<Verdict> {
  const { device, memory, now } = judge;
  must(envelope.toAddress === device.address, 'another_address');
  const { header, payload: bytes } = await openCopy(device, envelope);
  const payload = decodePayload(bytes);
  const { body, channel } = payload;
  must(envelope.groupId === (channel === 'group' ? body.groupId : undefined), 'another_group');
  must(body.sender === envelope.from, 'another_sender');
  if (channel === 'direct') must([body.peer, envelope.from].includes(device.address), 'another_peer');
  const proof = await proofOf(judge, envelope, header, payload, receivedAt);
  const isSigned = proof === 'signed';
  must(!memory.acceptedMessages.has(body.sender, body.id, isSigned), 'seen_before');
  let shown: { bot?: Bot; note?: string } = {};
  if (channel === 'group') {
    const verdict = await groupVerdict(judge, envelope, payload, receivedAt);
    if (verdict.is === 'hold') return { is: 'held', envelope, payload };
    if (verdict.is === 'set_aside') return { is: 'set_aside', envelope, reason: verdict.reason };
    const { is: _, ...rest } = verdict;
    shown = rest;
  }
  const content = contentOf(channel, body);
  must(mayBeSent(proof, channel, body.kind), 'not_allowed');
  must(timesCount(msOf(body.sentAt), now, memory.retentionSeconds), 'wrong_time');
  memory.acceptedMessages.add(body.sender, body.id, isSigned, now);
  if (content.is === 'unknown' && memory.accepted.has(body.sender)) memory.keep(payload);
  return { is: 'accepted', envelope, header, payload, body, content, proof, ...shown };
}

/** Steps 5 and 6: the proof of a payload's sender. */
async function proofOf(
  judge: Judge,
  envelope: InboxEnvelope,
  header: Header,
  payload: Payload,
  receivedAt: number,
): Promise<Proof> {
  const { auth, body } = payload;
  const known = judge.memory.of(body.sender);
  const isAhead = () => header.senderListSequence > (known.pin?.sequence ?? 0);
  if (auth.by === 'device') {
    await judgeHello(judge, payload);
    if (deviceIn(known.pin, auth.deviceId) === undefined || isAhead()) await judge.fetch.keys(body.sender);
    const signer = deviceIn(known.pin, auth.deviceId);
    must(signer !== undefined, 'unknown_device');
    must(!hasEnded(signer, Math.max(receivedAt, msOf(body.sentAt))), 'device_expired');
    must(isSignedUnder(payload, signer.key), 'wrong_signature');
    claim(known, auth.deviceId, body.list?.sequence ?? 0, body.list?.hash ?? null);
    if (hasOpenClaim(known)) await judge.fetch.keys(body.sender);
    return 'signed';
  }
  if (envelope.via === 'group_token') return auth.by === 'bot' ? 'bot' : 'token';
  must(auth.by === 'nobody', 'bot_without_token');
  const allows = () => known.pin?.unsigned.includes('api') === true;
  if (!allows() || isAhead()) await judge.fetch.keys(body.sender);
  must(allows(), 'unsigned_not_allowed');
  return 'api';
}

/** The lists of a `hello` are judged before its sender is proven, so that a hidden device can prove itself. */
async function judgeHello(judge: Judge, { channel, body }: Payload): Promise<void> {
  const content = contentOf(channel, body);
  if (!('kind' in content) || content.kind !== 'hello') return;
  const lists = (body.lists ?? []) as DeviceList[];
  await judgeEvidence(judge.memory.of(body.sender), lists, judge.now);
}

/** Step 8; if the known state of the group is not enough, it is fetched again first. */
async function groupVerdict(judge: Judge, envelope: InboxEnvelope, payload: Payload, receivedAt: number) {
  const id = envelope.groupId ?? '';
  const { auth, body } = payload;
  const wasRequested = auth.by === 'device' && judge.memory.gaps(id).wasRequested(auth.deviceId, body.seq);
  const arrival = {
    via: envelope.via,
    receivedAt,
    now: judge.now,
    self: judge.device.address,
    wasAskedFor: wasRequested,
  };
  const verdict = () => judgeGroupMessage(judge.memory.group(id).state, payload, arrival);
  const first = verdict();
  if (first.is === 'shown') return first;
  await judge.fetch.group(id);
  return verdict();
}
