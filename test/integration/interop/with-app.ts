/**
 * A user of our app and an independent client at one relay, for tests of what they make of each other.
 */
import type { Conversation, Message } from '../../../src/bridge/shapes.ts';
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

export class WithApp {
  readonly engine: TestEngine;
  readonly ada: Account;
  /** The address of the app's user. */
  readonly grace: string;
  #markers = 0;

  private constructor(engine: TestEngine, ada: Account, grace: string) {
    this.engine = engine;
    this.ada = ada;
    this.grace = grace;
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

  /** Seals a message of ada for every device of the app's user and posts the copies. */
  async write(body: Body, { calls, ...options }: HowToWrite = {}): Promise<void> {
    await this.post(await this.ada.sealFor(await this.ada.keysOf(this.grace), body, options), calls);
  }

  async post(envelopes: Envelope[], calls = this.ada.session): Promise<void> {
    for (const envelope of envelopes) await calls.expect(201, 'POST', '/envelopes', envelope);
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

  /** What a write made the app show: kind, text and trust of each message. */
  async shownBy(write: () => Promise<void>): Promise<(string | null)[][]> {
    const before = (await allMessages(this.engine)).length;
    await write();
    this.#markers += 1;
    const shown = await this.shownBefore(`marker ${this.#markers}`);
    return shown.slice(before).map(({ kind, text, trust }) => [kind, text, trust]);
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
