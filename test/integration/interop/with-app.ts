/**
 * A user of our app, or of a program on our library, and an independent client at one relay, for tests of
 * interoperability.
 */
import { type FailureData, isWithheld } from '../../../src/base/failure.ts';
import { toFailure } from '../../../src/base/log.ts';
import type { Conversation } from '../../../src/bridge/shapes/conversation.ts';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import { Identity, RelayClient, walletFromKey } from '../../../src/client/index.ts';
import { newMessageId } from '../../../src/client/sealing.ts';
import type { OpenedMessage } from '../../interop/by-hand/account.ts';
import { Account } from '../../interop/by-hand/account.ts';
import type { Calls, HandleRecord } from '../../interop/by-hand/calls.ts';
import type { Device } from '../../interop/by-hand/device.ts';
import { only } from '../../interop/by-hand/only.ts';
import type { Body } from '../../interop/payload.ts';
import type { Envelope } from '../../interop/seal.ts';
import { callEngine, eventually, setUp, type TestEngine } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';

export interface HowToWrite {
  signed?: boolean;
  calls?: Calls;
  device?: Device;
  senderListSequence?: number;
  recipientListSequence?: number;
}

let users = 0;

/** A shown message: kind (`newer` for a fallback), text and trust. */
type Shown = [kind: string, text: string, trust: string];

/** Result of a message of the user's. */
export interface Answered {
  /** 'waiting': for devices that the relay does not show. */
  state: 'sent' | 'waiting' | 'failed';
  problem: FailureData | null;
}

/** A user of our code, and ada, whose client was written from the protocol's page only. */
abstract class WithUser {
  readonly ada: Account;
  /** The address of the user. */
  readonly grace: string;
  #markers = 0;

  constructor(ada: Account, grace: string) {
    this.ada = ada;
    this.grace = grace;
  }

  /** Messages shown so far, in order. */
  abstract all(): Promise<Shown[]>;
  /** Ada writes first, and is accepted if that applies. */
  abstract meet(): Promise<unknown>;
  /** Everyone who has written to the user is accepted. */
  abstract accept(other: Account): Promise<void>;
  /** The user writes to ada. */
  abstract writes(text: string): Promise<Answered>;
  /** Retries unsent messages. @returns whether a text was sent by now */
  abstract retry(text: string): Promise<boolean>;
  /** The user's own device list changes, and others are informed. */
  abstract changeList(): Promise<void>;
  /** Sends the own list to others, if due. */
  abstract greet(): Promise<void>;
  /** The same user and another independent client, who do not know each other yet. It ends with this one. */
  abstract withAnother(): Promise<WithApp | WithProgram>;
  abstract [Symbol.asyncDispose](): Promise<void>;

  /** Seals a message of ada for every device of the user and posts the copies. */
  async write(body: Body, { calls, ...options }: HowToWrite = {}): Promise<void> {
    await this.post(await this.ada.sealFor(await this.ada.keysOf(this.grace), body, options), calls);
  }

  async post(envelopes: Envelope[], calls = this.ada.session): Promise<void> {
    for (const envelope of envelopes) await calls.expect(201, 'POST', '/envelopes', envelope);
  }

  /** Waits until a text is shown. */
  async comes(text: string): Promise<void> {
    await eventually(
      () => this.all(),
      (all) => all.some(([, shown]) => shown === text),
    );
  }

  /** Polls, reads and acknowledges until ada receives a matching message. */
  async next(matches: (message: OpenedMessage) => boolean): Promise<OpenedMessage> {
    for (let polls = 0; polls < 5; polls += 1) {
      const { envelopes } = await this.ada.poll(10);
      for (const envelope of envelopes) {
        const message = await this.ada.read(envelope);
        await this.ada.acknowledge([envelope.id]);
        if (matches(message)) return message;
      }
    }
    throw new Error('it did not come');
  }

  /** Messages that the app shows after a write. A signed message follows it: once that is shown, everything was processed. */
  async shownBy(write: () => Promise<void>): Promise<Shown[]> {
    const before = (await this.all()).map((shown) => JSON.stringify(shown));
    await write();
    this.#markers += 1;
    const marker = `marker ${this.#markers}`;
    await this.write(this.ada.text(this.grace, marker));
    const after = await eventually(
      () => this.all(),
      (all) => all.some(([, text]) => text === marker),
    );
    // The missing message is at its author's position, not at the end.
    return after.filter((shown) => {
      const at = before.indexOf(JSON.stringify(shown));
      if (at >= 0) before.splice(at, 1);
      return at < 0 && shown[1] !== marker;
    });
  }
}

/** The user runs a program on the library. */
export class WithProgram extends WithUser {
  readonly #relay: string;
  readonly #client: RelayClient;
  readonly #identity: Identity;
  readonly #shown: Shown[] = [];
  /** Ids of the user's unsent messages, by text. */
  readonly #unsent = new Map<string, string>();

  private constructor(
    ada: Account,
    relay: string,
    identity: Identity,
    client = new RelayClient({ identity }),
  ) {
    super(ada, identity.address);
    this.#relay = relay;
    this.#identity = identity;
    this.#client = client;
  }

  /** @param privateKey of the wallet; a new one unless given */
  static async start(relay: string, privateKey?: string): Promise<WithProgram> {
    const wallet =
      privateKey === undefined ? undefined : walletFromKey(Buffer.from(privateKey.slice(2), 'hex'));
    const identity = Identity.create({ wallet });
    await identity.register(relay);
    return new WithProgram(await Account.signUp(relay), relay, identity);
  }

  async all(): Promise<Shown[]> {
    for await (const { kind, fromNewerVersion, text, proof } of this.#client.messages({ follow: false })) {
      const trust = { signed: 'verified', bot: 'bot', api: 'api', token: 'token' }[proof];
      this.#shown.push([fromNewerVersion ? 'newer' : kind, text ?? '', trust]);
    }
    return [...this.#shown];
  }

  async meet(): Promise<void> {}

  /** Programs accept everyone to whom they have written. */
  async accept(other: Account): Promise<void> {
    await this.#client.send(other.address, 'You may');
  }

  async writes(text: string, messageId = newMessageId()): Promise<Answered> {
    this.#unsent.set(text, messageId);
    try {
      await this.#client.send(this.ada.address, text, { messageId });
      this.#unsent.delete(text);
      return { state: 'sent', problem: null };
    } catch (error) {
      const { data: problem } = toFailure(error);
      return { state: isWithheld(error) ? 'waiting' : 'failed', problem };
    }
  }

  async retry(text: string): Promise<boolean> {
    const messageId = this.#unsent.get(text);
    return messageId === undefined || (await this.writes(text, messageId)).state === 'sent';
  }

  async changeList(): Promise<void> {
    const registration = this.#identity.registration(this.#identity.account());
    await registration.renew();
    // With its matching seal key: otherwise that would arrive while others seal.
    await registration.ensure();
    await this.greet();
  }

  greet(): Promise<void> {
    return this.#client.greet();
  }

  async withAnother(): Promise<WithProgram> {
    return new WithProgram(await Account.signUp(this.#relay), this.#relay, this.#identity, this.#client);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.close();
  }
}

/** The user runs the app. */
export class WithApp extends WithUser {
  readonly engine: TestEngine;
  readonly #relay: string;

  private constructor(engine: TestEngine, relay: string, ada: Account, grace: string) {
    super(ada, grace);
    this.engine = engine;
    this.#relay = relay;
  }

  /** @param privateKey of the wallet; a new one unless given */
  static async start(
    relay: string,
    engine: TestEngine = new LocalEngine(relay),
    privateKey: string | null = null,
  ): Promise<WithApp> {
    users += 1;
    const handle = `grace_${users}`;
    await engine.start();
    if (privateKey === null) await setUp(engine, handle);
    else {
      const identity = { kind: 'import' as const, secret: privateKey };
      await callEngine(engine, 'setup.finish', { relay: { kind: 'embedded' }, identity });
      await callEngine(engine, 'profile.save', { handle, displayName: handle });
    }
    const ada = await Account.signUp(relay);
    const { address } = await ada.session.expect<HandleRecord>(200, 'GET', `/handles/${handle}`);
    return new WithApp(engine, relay, ada, address);
  }

  /** All messages of the conversation with ada, oldest first; empty if there is none. */
  async #messages(): Promise<Message[]> {
    const all = await callEngine(this.engine, 'conversations.list', {});
    const [found] = all.filter(isFrom(this.ada));
    if (!found) return [];
    const page = { conversationId: found.id, limit: 200 };
    return (await callEngine(this.engine, 'messages.list', page)).messages;
  }

  async all(): Promise<Shown[]> {
    return (await this.#messages()).map(({ kind, text, trust }) => [kind, text, trust]);
  }

  /** Writes one more signed message and waits until it is shown: all earlier ones have been judged by then. */
  async shownBefore(marker: string): Promise<Message[]> {
    await this.write(this.ada.text(this.grace, marker));
    const isMarker = ({ text }: Message) => text === marker;
    const shown = await eventually(
      () => this.#messages(),
      (messages) => messages.some(isMarker),
    );
    return shown.filter((message) => !isMarker(message));
  }

  /** The conversation with ada. */
  async conversation(): Promise<Conversation> {
    return only((await callEngine(this.engine, 'conversations.list', {})).filter(isFrom(this.ada)));
  }

  /** Ada writes first, and is accepted. */
  async meet(): Promise<Conversation> {
    await this.shownBefore('May I?');
    const { id } = await this.conversation();
    return callEngine(this.engine, 'conversations.accept', { id });
  }

  /** Writes to ada from the app, and waits until it is sent or waits for something. */
  async answer(text: string): Promise<Message> {
    const { id: conversationId } = await this.conversation();
    await callEngine(this.engine, 'messages.send', { conversationId, text });
    return this.stateOf(text, ({ state, problem }) => state !== 'queued' || problem !== null);
  }

  /** Waits until a message of the app's user matches. */
  async stateOf(text: string, matches: (message: Message) => boolean): Promise<Message> {
    const messages = await eventually(
      () => this.#messages(),
      (all) => all.some((message) => message.text === text && matches(message)),
    );
    return only(messages.filter((message) => message.text === text));
  }

  /** In any conversation. */
  override async comes(text: string): Promise<void> {
    const pages = async () => {
      const conversations = await callEngine(this.engine, 'conversations.list', {});
      const query = ({ id }: Conversation) =>
        callEngine(this.engine, 'messages.list', { conversationId: id, limit: 200 });
      return Promise.all(conversations.map(query));
    };
    await eventually(pages, (all) => all.some(({ messages }) => messages.some((each) => each.text === text)));
  }

  async accept(other: Account): Promise<void> {
    const requests = await eventually(
      async () => (await callEngine(this.engine, 'conversations.list', {})).filter(isFrom(other)),
      (found) => found.length > 0,
    );
    await callEngine(this.engine, 'conversations.accept', { id: only(requests).id });
  }

  async writes(text: string): Promise<Answered> {
    const { state, problem } = await this.answer(text);
    return { state: state === 'sent' || state === 'failed' ? state : 'waiting', problem };
  }

  async retry(text: string): Promise<boolean> {
    await callEngine(this.engine, 'connection.retry', {});
    return (await this.#messages()).some((each) => each.text === text && each.state === 'sent');
  }

  async changeList(): Promise<void> {
    await callEngine(this.engine, 'developer.unlock', {});
  }

  // The app does so by itself.
  async greet(): Promise<void> {}

  async withAnother(): Promise<WithApp> {
    return new WithApp(this.engine, this.#relay, await Account.signUp(this.#relay), this.grace);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine[Symbol.asyncDispose]();
  }
}

function isFrom(other: Account) {
  return (conversation: Conversation) =>
    conversation.kind === 'direct' && conversation.peer.address === other.shownAddress;
}

type StartUser = (relay: string, engine?: TestEngine, privateKey?: string) => Promise<WithApp | WithProgram>;

/** The users of our code, to be tested one after the other. */
export const USERS: [string, StartUser][] = [
  ['the app', (relay, engine, privateKey) => WithApp.start(relay, engine, privateKey)],
  ['a program on the library', (relay, _engine, privateKey) => WithProgram.start(relay, privateKey)],
];
