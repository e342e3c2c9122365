import { answerRequest, missingToRequest, SentLog } from './catching-up.ts';
import type { DeviceList, NextList } from './device-list.ts';
import { lookUp, resolveHandle } from './directory.ts';
import { msOf } from './forms.ts';
import { isCounted } from './gaps.ts';
import type { Actor } from './group-acts.ts';
import { type Posted, postToGroup } from './group-posting.ts';
import { refreshChain } from './group-reading.ts';
import { helloOfLists } from './hello.ts';
import { type Accepted, judgeEnvelope, type Verdict } from './judging.ts';
import type { SigningKey } from './keys.ts';
import { hasOpenClaim } from './known.ts';
import { Memory } from './memory.ts';
import { acknowledge, type InboxEnvelope, readInbox } from './opening.ts';
import {
  changeList,
  introspect,
  logInWithDevice,
  nextSealKey,
  type OwnDevice,
  openAccount,
  publishSealKey,
} from './own-account.ts';
import { type Body, decodePayload } from './payload.ts';
import { receiveEntries } from './received-entries.ts';
import { must } from './refusal.ts';
import { Relay } from './relay.ts';
import { clocksAgree, countsAsReceived } from './replay.ts';
import { membersOf } from './roster-state.ts';
import { bodyBy, deliver, payloadBy, type Sent, type Statement, type Voice } from './sending.ts';
import { type Wallet, walletOf } from './wallet.ts';

/** A program with a device: it sends, receives and is a member of groups. */
export class Client implements Actor {
  relay: Relay;
  readonly wallet: Wallet;
  readonly device: OwnDevice;
  readonly memory: Memory;
  readonly now: () => number;
  readonly voice: Voice;
  /** The own lists that this device knows, oldest first. */
  readonly lists: DeviceList[] = [];
  /** Messages of groups that name entries that the relay does not show; they are acknowledged and judged again. */
  delayed: { envelope: InboxEnvelope; receivedAt: number }[] = [];
  readonly #sent = new SentLog();
  readonly #requests: ReturnType<typeof missingToRequest> = [];

  constructor(relay: Relay, wallet: Wallet, device: OwnDevice, memory: Memory, now: () => number) {
    this.relay = relay;
    this.wallet = wallet;
    this.device = device;
    this.memory = memory;
    this.now = now;
    this.lists.push(device.list);
    this.voice = { address: device.address, device, bot: null, automated: false, hasMlKem: true };
  }

  /** Opens an account with a wallet, and a first device. */
  static async open(
    url: string | URL,
    walletKey: Uint8Array,
    options: { invitation?: string; now?: () => number; suite?: 1 | 2; unsigned?: 'api'[] } = {},
  ): Promise<Client> {
    const { now = Date.now, ...rest } = options;
    const wallet = walletOf(walletKey);
    const { device, session } = await openAccount(new Relay(url, null, now), wallet, { ...rest, now: now() });
    const client = new Client(session.relay, wallet, device, new Memory(), now);
    await client.readLimits();
    await lookUp(client.relay, client.memory, wallet.address, now());
    return client;
  }

  /** Another device of the same wallet, which the newest list has: it publishes its first seal key. */
  async another(key: SigningKey): Promise<Client> {
    const { relay, wallet, now } = this;
    const device: OwnDevice = { ...this.device, key, statement: null, secrets: [] };
    const session = await logInWithDevice(relay.with(null), wallet.address, key, now());
    const client = new Client(session.relay, wallet, device, new Memory(), now);
    await client.renewSealKey();
    await lookUp(client.relay, client.memory, wallet.address, now());
    return client;
  }

  /** Announces to an address the own lists after the one that it knows. */
  hello(known: number): Statement {
    return helloOfLists(this.lists, known);
  }

  get address(): string {
    return this.device.address;
  }

  async readLimits(): Promise<void> {
    const { retentionSeconds } = await introspect(this.relay, this.address);
    if (Number.isFinite(retentionSeconds)) this.memory.setRetention(retentionSeconds);
  }

  /** Renews the session with the device's key. */
  async renewSession(): Promise<void> {
    const session = await logInWithDevice(this.relay.with(null), this.address, this.device.key, this.now());
    this.relay = session.relay;
  }

  /** Creates and publishes a new seal key, as a device does every day. */
  async renewSealKey(suite: 1 | 2 = 2): Promise<void> {
    await nextSealKey(this.device, this.now(), suite);
    await publishSealKey(this.relay, this.device);
  }

  /** Signs and publishes the next device list, and a new seal key that names it. */
  async changeDevices(next: NextList): Promise<void> {
    await changeList(this.relay, this.wallet, this.device, next, this.now());
    this.lists.push(this.device.list);
    await this.renewSealKey();
    await lookUp(this.relay, this.memory, this.address, this.now());
  }

  async resolve(handle: string): Promise<string> {
    return (await resolveHandle(this.relay, handle)).address;
  }

  /** A client whose clock is more than a day from the relay's sends and accepts nothing. */
  #mustAgreeOnTime(): void {
    const { clockAhead } = this.relay;
    must(clockAhead === null || clocksAgree(0, clockAhead), 'clocks_disagree');
  }

  /** Sends a text to an address, and a copy to the own other devices. */
  async send(
    to: string,
    statement: Statement,
    options: { asRequest?: boolean; onlyDevices?: readonly string[] } = {},
  ): Promise<Sent> {
    this.#mustAgreeOnTime();
    const { relay, memory, voice, now, address } = this;
    const seq = isCounted(statement.kind, 'device', false) ? memory.nextNumber(to) : 0;
    const body = bodyBy(voice, statement, { peer: to }, seq, now());
    const payload = payloadBy(voice, 'direct', body);
    const { envelopes, results } = await deliver(relay, memory, voice, to, payload, { ...options, now });
    memory.accepted.add(to);
    if (seq > 0) this.#remember(to, payload, [to]);
    if (this.device.list.devices.length > 1 && to !== address && isCounted(statement.kind, 'device', false)) {
      const own = await lookUp(relay, memory, address, now());
      const toOwn = { now, except: this.device.key.id };
      if (own.blocked === null) await deliver(relay, memory, voice, address, payload, toOwn);
    }
    return { body, payload, envelopes, results };
  }

  sendText(to: string, text: string, options: { asRequest?: boolean } = {}): Promise<Sent> {
    return this.send(to, { kind: 'text', text }, options);
  }

  /** Sends a message to a group. */
  async post(id: string, statement: Statement): Promise<Posted> {
    this.#mustAgreeOnTime();
    const posted = await postToGroup(this.relay, this.memory, this.voice, id, statement, this.now);
    const members = membersOf(this.memory.group(id).state);
    if (posted.body.seq > 0) this.#remember(id, posted.payload, members);
    return posted;
  }

  /** Stores a message for devices that will request it again. */
  #remember(conversation: string, encoded: Uint8Array, to: readonly string[]): void {
    const { channel, bytes, body } = decodePayload(encoded);
    this.#sent.add(conversation, body.seq, { channel, bytes, sentAt: msOf(body.sentAt), to });
  }

  postText(id: string, text: string): Promise<Posted> {
    return this.post(id, { kind: 'text', text });
  }

  /** Reads one page of the queue, judges it and acknowledges it. `wait` in seconds. */
  async receive(options: { limit?: number; wait?: number } = {}): Promise<Verdict[]> {
    const page = await readInbox(this.relay, this.device.key.id, options);
    this.#mustAgreeOnTime();
    const judged = await this.judge(page.envelopes);
    await acknowledge(
      this.relay,
      this.device.key.id,
      page.envelopes.map(({ id }) => id),
    );
    if (!page.more) {
      this.memory.lastEnd = this.now();
      this.#requests.push(...missingToRequest(this.memory, this.now()));
    }
    for (const one of judged) if (one.is === 'accepted') await this.#obey(one);
    return judged;
  }

  /**
   * Requests missing messages, which were found at the end of the queue. The caller waits for the random
   * time.
   */
  async requestMissing(): Promise<number> {
    const requests = this.#requests.splice(0);
    for (const { to, device, statement } of requests)
      await this.send(to, statement, { onlyDevices: [device] });
    return requests.length;
  }

  /** Executes an accepted control. */
  async #obey(accepted: Accepted): Promise<void> {
    if (!('kind' in accepted.content) || accepted.proof !== 'signed') return;
    if (accepted.content.kind === 'hello') await receiveEntries(this, accepted);
    if (accepted.content.kind === 'receipt' && this.memory.accepted.has(accepted.body.sender))
      await this.#answer(accepted);
  }

  /** Reseals the messages of this device that a receipt requests, and reports those that do not exist. */
  async #answer({ body, payload }: Accepted): Promise<void> {
    const own = this.device.key.id;
    const numbers = (body.missing as Record<string, number[]> | undefined)?.[own];
    if (numbers === undefined || payload.auth.by !== 'device') return;
    const requester = { address: body.sender, device: payload.auth.deviceId };
    const conversation = typeof body.group === 'string' ? body.group : body.sender;
    const { relay, memory, voice } = this;
    const requested = { conversation, requester, numbers };
    const skip = await answerRequest(relay, memory, voice, this.#sent, requested, this.now());
    if (skip.length === 0) return;
    const statement = {
      kind: 'receipt',
      skipped: { [own]: skip },
      ...(body.group === undefined ? {} : { group: body.group }),
    };
    await this.send(requester.address, statement, { onlyDevices: [requester.device] });
  }

  /** Judges envelopes of a page; deferred ones are judged again first. */
  async judge(envelopes: readonly InboxEnvelope[]): Promise<Verdict[]> {
    const { memory, device, relay } = this;
    const now = this.now();
    const requested = new Set<string>();
    const once = async (what: string, work: () => Promise<unknown>) => {
      if (requested.has(what)) return;
      requested.add(what);
      await work();
    };
    const fetchers = {
      keys: (address: string) => once(address, () => lookUp(relay, memory, address, now)),
      group: (id: string) => once(id, () => refreshChain(relay, memory, id, now)),
    };
    const before = this.delayed;
    this.delayed = [];
    const judged: Verdict[] = [];
    const receive = async (envelope: InboxEnvelope, receivedAt: number) => {
      const verdict = await judgeEnvelope({ device, memory, fetch: fetchers, now }, envelope, receivedAt);
      if (verdict.is === 'held') this.delayed.push({ envelope, receivedAt });
      else judged.push(verdict);
      this.#note(verdict);
    };
    for (const { envelope, receivedAt } of before) await receive(envelope, receivedAt);
    for (const envelope of envelopes) {
      const reported = msOf(envelope.receivedAt);
      memory.lastReceived = countsAsReceived(reported, now, memory.lastReceived, memory.lastEnd);
      await receive(envelope, memory.lastReceived);
    }
    if (hasOpenClaim(memory.of(device.address))) await fetchers.keys(device.address);
    return judged;
  }

  #note(verdict: Verdict): void {
    if (verdict.is !== 'accepted') return;
    const { body, payload } = verdict;
    const { auth } = payload;
    if (auth.by !== 'device' || body.sender === this.address) return;
    this.memory.receivedNumber(body.groupId ?? body.sender, auth.deviceId, body.sender, body.seq);
    if ('kind' in verdict.content && verdict.content.kind === 'receipt') this.#skip(verdict.body);
  }

  /** `skipped` is accepted from any device of the author's, about the author's own devices alone. */
  #skip({ skipped, group, sender }: Body): void {
    const conversation = typeof group === 'string' ? group : sender;
    for (const [device, numbers] of Object.entries((skipped ?? {}) as Record<string, number[]>)) {
      if (this.memory.ownerOf(device) === sender) this.memory.gaps(conversation).skipped(device, numbers);
    }
  }

  /** Reads until an accepted message matches, for at most that many polls. */
  async waitFor<T extends Verdict>(matches: (judged: Verdict) => judged is T, polls = 10): Promise<T> {
    for (let poll = 0; poll < polls; poll++) {
      const found = (await this.receive({ wait: 5 })).find(matches);
      if (found !== undefined) return found;
    }
    throw new Error('nothing that fits came');
  }
}
