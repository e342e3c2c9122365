/**
 * What a recipient does with an envelope, in the order of protocol §7: 'What a recipient does'.
 */
import type { Account } from './account.ts';
import { base64url } from './bytes.ts';
import type { Calls, InboxEnvelope, Me } from './calls.ts';
import { type Contents, judgeContents, maySend, type Proof } from './contents.ts';
import { type Body, decodePayload, isOfBot, type Payload, signerOf, verifyPayload } from './payload.ts';
import { Taken, timesCount } from './replay.ts';
import { type Chain, readChain } from './roster.ts';
import { type Header, open } from './sealing.ts';
import type { Remembered } from './trust.ts';

const DAY = 86_400_000;

/** A message that was opened and counts, proven if `signed`. */
export interface OpenedMessage {
  envelope: InboxEnvelope;
  header: Header;
  body: Body;
  signed: boolean;
  proof: Proof;
  as: Contents;
}

export class Reader {
  readonly #account: Account;
  readonly #taken = new Taken();
  /** The chains of groups as they were read last. */
  readonly #chains = new Map<string, Chain>();
  #retention: number | null = null;
  /** Bodies of unknown kinds, which are kept whole and shown nowhere. */
  readonly kept: Body[] = [];

  constructor(account: Account) {
    this.#account = account;
  }

  /** Takes note of the longest retention that the relay has told, and of its clock. */
  async askAboutRelay(calls: Calls): Promise<void> {
    const { limits } = await calls.expect<Me>(200, 'GET', '/me');
    this.#retention = Math.max(this.#retention ?? 0, limits.retentionSeconds * 1000);
    if (Math.abs(calls.ahead) > DAY) throw new Error('the clocks are more than a day apart');
  }

  /** @throws Error with the reason when the envelope is set aside */
  async read(envelope: InboxEnvelope, calls: Calls): Promise<OpenedMessage> {
    const { address } = this.#account;
    const { from, groupId } = envelope;
    if (envelope.toAddress !== address)
      throw new Error('this envelope cannot be opened: it is for someone else');
    const { header, payload } = await this.#open(envelope);
    const parts = decodePayload(payload);
    const { body, channel } = parts;
    if ((channel === 'group') !== (groupId !== undefined))
      throw new Error('the envelope is for another channel');
    if (channel === 'group' && body.groupId !== groupId) throw new Error('the body is for another group');
    if (body.sender !== from) throw new Error('the body names another sender');
    if (channel === 'direct' && body.peer !== address && from !== address)
      throw new Error('the body is for someone else');
    const proof = parts.signed
      ? await this.#prove(parts, header, envelope, calls)
      : await this.#allow(parts, header, envelope, calls);
    const signed = proof === 'signed';
    if (this.#taken.has(from, body.id, signed)) throw new Error('this message was taken before');
    if (groupId !== undefined) await this.#requireVoice(groupId, proof, parts, envelope, calls);
    const as = judgeContents(channel, body);
    if (!maySend(proof, body.kind, channel)) throw new Error(`nobody may send ${body.kind} so`);
    const receivedAt = Date.parse(envelope.receivedAt);
    const times = {
      now: Date.now(),
      receivedAt,
      sentAt: Date.parse(body.sentAt),
      retention: this.#retention,
    };
    if (!timesCount(times)) throw new Error('this message is too old, or from the future');
    this.#taken.note(from, body.id, signed, Date.now());
    if (as === 'unknown') this.kept.push(body);
    return { envelope, header, body, signed, proof, as };
  }

  /** With the key that it names, or without one with each that we still have. */
  async #open(envelope: InboxEnvelope): ReturnType<typeof open> {
    const { sealKeys, earlierSealKeys } = this.#account.device;
    const { recipientDeviceKey } = envelope;
    const pairs = [sealKeys, ...earlierSealKeys].filter(
      ({ publicKey }) => recipientDeviceKey === undefined || publicKey === recipientDeviceKey,
    );
    for (const { privateKeys } of pairs) {
      const opened = await open(envelope, privateKeys).catch(() => null);
      if (opened) return opened;
    }
    throw new Error('this envelope cannot be opened');
  }

  async #prove(parts: Payload, header: Header, envelope: InboxEnvelope, calls: Calls): Promise<Proof> {
    const { from, receivedAt } = envelope;
    const remembered = this.#account.remembered(from);
    const { body } = parts;
    if (judgeContents(parts.channel, body) === 'hello' && body.lists) {
      await remembered.takeEvidence(body.lists).catch(() => 'nothing');
    }
    const { pin } = remembered;
    if (!pin || !signerOf(parts, pin) || header.senderListSequence > pin.sequence) {
      await this.#ask(remembered, calls);
    }
    if (!remembered.pin) throw new Error('nothing is known of the sender');
    verifyPayload(parts, remembered.pin, receivedAt);
    const wasOpen = remembered.isClaimOpen;
    const deviceId = base64url(parts.signed?.deviceId ?? new Uint8Array());
    if (body.list) remembered.claim(deviceId, body.list);
    if (remembered.isClaimOpen && !wasOpen) await this.#ask(remembered, calls);
    return 'signed';
  }

  /** What no device signed. Of what came by a group token the group decides. */
  async #allow({ bot }: Payload, header: Header, { from, via }: InboxEnvelope, calls: Calls): Promise<Proof> {
    if (bot && via !== 'group_token') throw new Error('a bot posts by a group token');
    if (via === 'group_token') return bot ? 'bot' : 'token';
    const remembered = this.#account.remembered(from);
    const { pin } = remembered;
    if (!pin?.unsigned.includes('api') || header.senderListSequence > pin.sequence) {
      await this.#ask(remembered, calls);
    }
    if (!remembered.pin?.unsigned.includes('api')) throw new Error("the sender's list does not say api");
    return 'api';
  }

  /** A refusal leaves what is known as it is. */
  async #ask({ address }: Remembered, calls: Calls): Promise<void> {
    await this.#account.askFor(address, calls).catch(() => undefined);
  }

  /** @throws Error unless the sender, or what came by a token of the group, counts in it */
  async #requireVoice(
    groupId: string,
    proof: Proof,
    payload: Payload,
    envelope: InboxEnvelope,
    calls: Calls,
  ): Promise<void> {
    const { sender, roster } = payload.body;
    const place = roster ?? { epoch: 0, hash: '' };
    const isByToken = proof === 'bot' || proof === 'token';
    if (isByToken || !this.#chains.get(groupId)?.after(place)) {
      this.#chains.set(groupId, await readChain(this.#account, groupId, calls));
    }
    const chain = this.#chains.get(groupId);
    const then = chain?.after(place);
    if (!chain || !then) throw new Error('the message names an entry that the relay does not show');
    if (proof === 'token') {
      if (sender !== chain.creator) throw new Error('it came by a token, and not from the creator');
      if (!chain.unsignedBots) throw new Error('the group does not allow what nobody signed');
    } else if (proof === 'bot') {
      if (!isBotOf(chain, place.epoch, payload, envelope)) throw new Error('no bot of the group signed it');
    } else if (!then.members.has(sender)) throw new Error('the sender was not in the group');
  }
}

/** Whether a bot signed that stands in the group, or ended after the entry that it names and ten minutes ago at most. */
function isBotOf(
  chain: Chain,
  epoch: number,
  payload: Payload,
  { from, receivedAt }: InboxEnvelope,
): boolean {
  if (from === chain.creator && chain.bots.some(({ key }) => isOfBot(payload, key))) return true;
  const least = Date.parse(receivedAt) - 10 * 60_000;
  return chain.ended.some(
    (bot) =>
      bot.epoch > epoch && bot.by === from && Date.parse(bot.issued) > least && isOfBot(payload, bot.key),
  );
}
