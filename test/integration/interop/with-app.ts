/**
 * A user of our app, or of a program on our library, and an independent client at one relay, for tests of what they make
 * of each other.
 */
import type { Conversation, Message } from '../../../src/bridge/shapes.ts';
import { Identity, RelayClient } from '../../../src/client/index.ts';
import { Account } from '../../interop/account.ts';
import type { Calls, HandleRecord } from '../../interop/calls.ts';
import type { Device } from '../../interop/device.ts';
import { only } from '../../interop/only.ts';
import type { Body } from '../../interop/payload.ts';
import type { OpenedMessage } from '../../interop/reader.ts';
import type { Envelope } from '../../interop/sealing.ts';
import { allMessages, callEngine, eventually, setUp, TestEngine } from '../../support/engine.ts';

export interface HowToWrite {
  signed?: boolean;
  calls?: Calls;
  device?: Device;
  senderListSequence?: number;
  recipientListSequence?: number;
}

let users = 0;

/** What somebody was shown: kind (`newer` for a fallback), text and trust. */
type Shown = [kind: string, text: string, trust: string];

/** A user of our code, and ada, who has written hers from the page alone. */
abstract class WithUser {
  readonly ada: Account;
  /** The address of the user. */
  readonly grace: string;
  #markers = 0;

  constructor(ada: Account, grace: string) {
    this.ada = ada;
    this.grace = grace;
  }

  /** What was shown so far, in order. */
  abstract all(): Promise<Shown[]>;
  /** Ada writes first, and is accepted, where that means something. */
  abstract meet(): Promise<unknown>;
  abstract [Symbol.asyncDispose](): Promise<void>;

  /** Seals a message of ada for every device of the user and posts the copies. */
  async write(body: Body, { calls, ...options }: HowToWrite = {}): Promise<void> {
    await this.post(await this.ada.sealFor(await this.ada.keysOf(this.grace), body, options), calls);
  }

  async post(envelopes: Envelope[], calls = this.ada.session): Promise<void> {
    for (const envelope of envelopes) await calls.expect(201, 'POST', '/envelopes', envelope);
  }

  /** What a write made the user be shown. Another signed message comes after it: once that is shown, all was dealt with. */
  async shownBy(write: () => Promise<void>): Promise<Shown[]> {
    const before = (await this.all()).length;
    await write();
    this.#markers += 1;
    const marker = `marker ${this.#markers}`;
    await this.write(this.ada.text(this.grace, marker));
    const after = await eventually(
      () => this.all(),
      (all) => all.some(([, text]) => text === marker),
    );
    return after.slice(before).filter(([, text]) => text !== marker);
  }
}

/** The user has a program on the library. */
export class WithProgram extends WithUser {
  readonly #client: RelayClient;
  readonly #shown: Shown[] = [];

  private constructor(ada: Account, grace: string, client: RelayClient) {
    super(ada, grace);
    this.#client = client;
  }

  static async start(relay: string): Promise<WithProgram> {
    const identity = Identity.create();
    await identity.register(relay);
    return new WithProgram(await Account.signUp(relay), identity.address, new RelayClient({ identity }));
  }

  async all(): Promise<Shown[]> {
    for await (const { kind, fromNewerVersion, text, proof } of this.#client.messages({ follow: false })) {
      const trust = { signed: 'verified', api: 'api', bots: 'bot' }[proof];
      this.#shown.push([fromNewerVersion ? 'newer' : kind, text ?? '', trust]);
    }
    return [...this.#shown];
  }

  async meet(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.close();
  }
}

/** The user has the app. */
export class WithApp extends WithUser {
  readonly engine: TestEngine;

  private constructor(engine: TestEngine, ada: Account, grace: string) {
    super(ada, grace);
    this.engine = engine;
  }

  static async start(relay: string, engine = new TestEngine(relay)): Promise<WithApp> {
    users += 1;
    const handle = `grace_${users}`;
    await engine.start();
    await setUp(engine, handle);
    const ada = await Account.signUp(relay);
    const { address } = await ada.session.expect<HandleRecord>(200, 'GET', `/handles/${handle}`);
    return new WithApp(engine, ada, address);
  }

  async all(): Promise<Shown[]> {
    return (await allMessages(this.engine)).map(({ kind, text, trust }) => [kind, text, trust]);
  }

  /** Writes one more signed message and waits until it is shown: whatever came before has been dealt with by then. */
  async shownBefore(marker: string): Promise<Message[]> {
    await this.write(this.ada.text(this.grace, marker));
    const isMarker = ({ text }: Message) => text === marker;
    const shown = await eventually(
      () => allMessages(this.engine),
      (messages) => messages.some(isMarker),
    );
    return shown.filter((message) => !isMarker(message));
  }

  /** The conversation with ada. */
  async conversation(): Promise<Conversation> {
    return only(await callEngine(this.engine, 'conversations.list', {}));
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

  /** Waits until a message of the app's user fits. */
  async stateOf(text: string, fits: (message: Message) => boolean): Promise<Message> {
    const messages = await eventually(
      () => allMessages(this.engine),
      (all) => all.some((message) => message.text === text && fits(message)),
    );
    return only(messages.filter((message) => message.text === text));
  }

  /** Polls, reads and acknowledges until something fits comes to ada. */
  async next(fits: (message: OpenedMessage) => boolean): Promise<OpenedMessage> {
    for (let polls = 0; polls < 5; polls += 1) {
      const { envelopes } = await this.ada.poll(10);
      for (const envelope of envelopes) {
        const message = await this.ada.read(envelope);
        await this.ada.acknowledge([envelope.id]);
        if (fits(message)) return message;
      }
    }
    throw new Error('it did not come');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine[Symbol.asyncDispose]();
  }
}
