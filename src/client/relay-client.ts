/**
 * The library's way to a relay: calls in terms of people, groups and messages. Sealing, proving and opening happen
 * here, on this machine.
 */

import { parseAddress } from '../base/address.ts';
import { pause } from '../base/backoff.ts';
import type { Greetings } from '../messaging/greeting/greetings.ts';
import { GroupDirectory } from '../messaging/groups/directory.ts';
import type { RememberedGroup } from '../messaging/groups/memory.ts';
import type { GroupSource } from '../messaging/relay.ts';
import { KeyDirectory } from '../messaging/trust/directory.ts';
import type { ProvenKeys } from '../messaging/trust/judge.ts';
import type { OwnKnowledge } from '../messaging/trust/key-trust.ts';
import { credentialTypeOf } from '../protocol/credentials.ts';
import type { HandleRecord } from '../protocol/schemas/directory.ts';
import type { GroupEntry, GroupView } from '../protocol/schemas/groups.ts';
import type { Me } from '../protocol/schemas/me.ts';
import { RelayApi } from './api.ts';
import { normaliseRelayUrl } from './check.ts';
import { Failure, IdentityError } from './errors.ts';
import { createGreetings } from './greetings.ts';
import { ProgramGroups } from './groups.ts';
import { RelayHttp } from './http.ts';
import type { Identity } from './identity/identity.ts';
import { Journal } from './identity/journal.ts';
import { type Message, type ReceiveOptions, receive } from './receiving.ts';
import { answerIdOf, authorOf, type Destination, newMessageId, sealHere, textBody } from './sealing.ts';
import { type ProgramParts, type Sent, send } from './sending.ts';
import { SecretCredential } from './session.ts';

export type RelayClientOptions =
  | {
      /** Base URL of the relay, such as https://relay.example. */
      relay: string;
      /** An API key (`sk_live_…`) or a group token (`gtk_live_…`). */
      secret: string;
      /** Signs what is sent, and receives. Without it messages are unsigned, and none can be received. */
      identity?: Identity;
      /**
       * File for what is remembered from run to run: the device lists that were seen, and who left which group. An
       * identity has one of its own; without either the memory ends with the program.
       */
      memory?: string;
    }
  | {
      /** An identity that is registered: brings its relay and API key. */
      identity: Identity;
      /** Where the relay is now, if that has changed. */
      relay?: string;
    };

export interface SendOptions {
  /** Give the same id again to repeat a message that may have arrived: recipients show it once. */
  messageId?: string;
  /** Whether a program wrote the text. True unless said; false where a person typed it. */
  automated?: boolean;
}

export interface DirectOptions extends SendOptions {
  /** Marks a first contact, which the recipient may accept or not. */
  asRequest?: boolean;
}

/** Whom an address or handle stands for, as the directory says. */
export interface Person {
  address: string;
  /** Null if the address has no public handle. */
  handle: string | null;
  displayName: string | null;
  /** Whether the relay's operator has verified the handle. */
  verified: boolean;
}

/**
 * A relay, called with an API key or a group token.
 *
 * @example
 * const client = new RelayClient({ relay: 'https://relay.example', secret: process.env.WAXWING_API_KEY });
 * await client.send('@alice', 'The nightly build is green.');
 */
export class RelayClient {
  /** Each call of the API as docs/protocol.md has it, for what this class does not do. */
  readonly api: RelayApi;
  readonly #identity: Identity | null;
  readonly #journal: Journal;
  /** Messages that are being sent, by id. */
  readonly #sending = new Map<string, Promise<unknown>>();
  readonly #directory: KeyDirectory;
  readonly #groups: GroupDirectory<RememberedGroup>;
  /** Calls with a session of the identity; null before the first. */
  #session: RelayApi | null = null;
  /** Shows groups: what the API key may do is enough to send, and does not matter once there is a session. */
  #groupSource: GroupSource;
  /** Those of the identity's greetings that this client has made: they end with it. */
  #greetings: Greetings | null = null;
  #isClosed = false;
  #me: Promise<Me> | null = null;
  /** The address that the relay has named as the sender; null before. */
  #address: string | null;

  /** @throws Failure, IdentityError if the relay, the identity or the secret is none */
  constructor(options: RelayClientOptions) {
    this.#identity = options.identity ?? null;
    const relay = options.relay ?? options.identity?.relay;
    const secret = 'secret' in options ? options.secret : options.identity.apiKey;
    if (!relay || secret === null) throw new IdentityError('identity_unregistered');
    if (credentialTypeOf(secret) === null) throw new Failure('secret_malformed');
    this.api = new RelayApi(new RelayHttp(normaliseRelayUrl(relay)), new SecretCredential(secret));
    const memory = 'memory' in options && options.memory ? options.memory : null;
    this.#journal = this.#identity?.journal ?? new Journal(memory, Date.now());
    this.#directory = new KeyDirectory({
      source: this.api,
      memory: this.#journal,
      now: () => Date.now(),
      own: this.#identity && knowledgeOf(this.#identity),
    });
    this.#address = this.#identity?.address ?? null;
    this.#groupSource = this.api;
    const own = () => this.#address;
    this.#groups = new GroupDirectory({
      source: { group: (id) => this.#groupSource.group(id) },
      keys: this.#directory,
      memory: new ProgramGroups(this.#journal, own),
      own,
      now: () => Date.now(),
      provesEarly: false,
      canJoin: this.#identity !== null,
    });
  }

  /** @internal The keys to seal to, and the trust in them. */
  get directory(): KeyDirectory {
    return this.#directory;
  }

  /** Cuts the calls that are under way; later ones fail. */
  close(): void {
    this.#isClosed = true;
    void this.#greetings?.close();
    if (this.#greetings && this.#identity?.greetings === this.#greetings) this.#identity.greetings = null;
    this.#session?.close();
    this.api.close();
  }

  /**
   * Tells those whom the identity has written to that its devices have changed, as far as it is time for that: sealed
   * words, that nobody sees, by which they notice a relay that hides the change. This goes on in the background while
   * the client sends or receives; a program that ends at once waits for it before it closes the client. Never fails:
   * what was not told is kept for the next time, in the journal beside the identity's file.
   * @param most milliseconds to wait
   */
  async greet(most = 10_000): Promise<void> {
    const greetings = this.#openGreetings();
    if (!greetings) return;
    const isDone = new AbortController();
    const telling = greetings.tellDue().finally(() => isDone.abort());
    await Promise.race([telling, pause(most, isDone.signal)]);
  }

  /** Null without a registered identity. Whatever the caller does does not fail for it. */
  #openGreetings(): Greetings | null {
    const identity = this.#identity;
    if (!identity?.deviceList || this.#isClosed) return null;
    try {
      if (!identity.greetings) {
        this.#greetings = createGreetings(identity, this.#directory, this.#sessionOf(identity));
        identity.greetings = this.#greetings;
      }
      identity.greetings.start();
      return identity.greetings;
    } catch {
      // The journal cannot be written: what is to be told is planned the next time.
      return null;
    }
  }

  /** Who this credential belongs to, what it may do, and the relay's limits. */
  me(): Promise<Me> {
    return this.api.me();
  }

  /**
   * The person behind `@handle` or an address.
   * @throws RelayRefusal 'not_found' if nobody has the handle; Failure for a text that is no address
   */
  async resolve(person: string): Promise<Person> {
    if (!isAddress(person)) return this.api.call('getHandle', { params: { handle: person } });
    const address = parseAddress(person);
    const profile = (await this.api.keys(address))?.profile;
    return profile ?? { address, handle: null, displayName: null, verified: false };
  }

  /** Public handles that begin with a text or contain it, best match first. */
  searchHandles(text: string, options: { limit?: number } = {}): Promise<HandleRecord[]> {
    return this.api.searchHandles(text, options.limit ?? 20);
  }

  /**
   * The devices of an address and their seal keys, proven against its wallet's signature.
   * @throws UnverifiableError if what the relay shows is not what the address signed; Failure 'no_device'
   */
  async keys(person: string): Promise<ProvenKeys & { address: string }> {
    const address = await this.#addressOf(person);
    const { deviceList, sealKeys } = await this.#directory.recipient(address, 0);
    if (!deviceList) throw new Failure('no_device');
    return { address, deviceList, sealKeys };
  }

  /**
   * Seals a text for each device of a person and sends it. Copies go to the sender's own devices as well, so that it
   * stands in the sender's own app.
   * @param to an address, or a handle such as `@alice`
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError, Failure 'no_device'
   * @example
   * const { messageId } = await client.send('@alice', 'Deployed.', { asRequest: true });
   */
  async send(to: string, text: string, options: DirectOptions = {}): Promise<Sent> {
    return this.#send({ peer: await this.#addressOf(to) }, text, options);
  }

  /** Public groups, by name; with `mine`, the groups of the API key's owner (not for group tokens). */
  groups(options: { mine?: boolean; q?: string; limit?: number } = {}): Promise<GroupEntry[]> {
    const { limit = 50, ...filter } = options;
    return this.api.groups(filter, limit);
  }

  /**
   * A group with its members and their keys, for a member's API key or a token of that group. `unconfirmed` names those
   * of the members who left or were removed and are shown again: nothing is sealed for them, see {@link confirmMember}.
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   */
  async group(groupId: string): Promise<GroupView & { unconfirmed: string[] }> {
    const { group, view } = await this.#groups.seen(groupId, 0);
    return { ...viewOf(view), unconfirmed: [...group.unconfirmed] };
  }

  /**
   * Joins a group. Needs an identity.
   * @throws IdentityError, RelayRefusal such as 'wrong_password', RelayUnreachable, UnverifiableError
   */
  async joinGroup(groupId: string, password?: string): Promise<GroupView> {
    const account = this.#account('Joining a group');
    const body = password === undefined ? {} : { password };
    const join = () => account.call('joinGroup', { params: { id: groupId }, body });
    return viewOf((await this.#groups.answered(groupId, join, true)).view);
  }

  /**
   * Removes a member from a group of the identity's own, or the identity itself from any. From then on nothing is sealed
   * for them, whatever the relay shows.
   * @param person an address, or a handle such as `@alice`
   * @throws IdentityError, RelayRefusal, RelayUnreachable
   */
  async removeMember(groupId: string, person: string): Promise<void> {
    const account = this.#account('Removing a member');
    const address = await this.#addressOf(person);
    const params = { id: groupId, address };
    await this.#groups.remove(groupId, address, () => account.call('removeMember', { params }));
  }

  /**
   * Lets a person who left a group or was removed, and whom the relay shows as a member again, get messages again. Ask
   * the group's owner first: a relay can show an old list of members.
   * @param person an address, or a handle such as `@alice`
   * @returns whether there was anything to confirm
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   */
  async confirmMember(groupId: string, person: string): Promise<boolean> {
    const address = await this.#addressOf(person);
    await this.group(groupId);
    return this.#groups.confirm(groupId, address);
  }

  /**
   * Seals a text for each device of each member of a group and posts it. With a group token the members see it as a
   * bot's message in the name of the group's creator.
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   * @example
   * const { credential } = await client.me();
   * await client.sendToGroup(credential.groupId, 'Version 1.4 is out.');
   */
  async sendToGroup(groupId: string, text: string, options: SendOptions = {}): Promise<Sent> {
    return this.#send({ groupId }, text, options);
  }

  /**
   * Answers a message where it came from: its sender, or its group. The answer's id is made of the message's, so that
   * an answer given again after a crash is shown once; further words to the same message go by {@link send}.
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   */
  async reply(message: Pick<Message, 'id' | 'from' | 'groupId'>, text: string): Promise<Sent> {
    const from = await this.#from();
    const options = { messageId: answerIdOf(from, message) };
    if (message.groupId !== null) return this.sendToGroup(message.groupId, text, options);
    return this.send(message.from, text, options);
  }

  /**
   * The messages that come for the identity, oldest first, opened and proven; each once, also after a restart. A
   * message is acknowledged when the loop asks for the next: one that the loop was left with comes again. Goes on
   * while the relay cannot be reached.
   * @throws IdentityError without an identity; RelayRefusal if the relay refuses for good, such as a revoked key
   * @example
   * for await (const message of client.messages({ signal })) {
   *   if (message.text !== null) await client.reply(message, message.text);
   * }
   */
  async *messages(options: ReceiveOptions = {}): AsyncGenerator<Message, void> {
    const identity = this.#identity;
    if (!identity) throw new IdentityError('identity_needed', { what: 'Receiving' });
    const parts = {
      relay: this.api,
      account: this.#account('Receiving'),
      directory: this.#directory,
      groups: this.#groups,
      identity,
      greetings: () => this.#openGreetings(),
    };
    yield* receive(parts, options);
  }

  #account(what: string): RelayApi {
    if (!this.#identity) throw new IdentityError('identity_needed', { what });
    const account = this.#sessionOf(this.#identity);
    this.#groupSource = account;
    return account;
  }

  #sessionOf(identity: Identity): RelayApi {
    this.#session ??= identity.account(this.api.baseUrl);
    return this.#session;
  }

  async #addressOf(person: string): Promise<string> {
    return isAddress(person) ? parseAddress(person) : (await this.resolve(person)).address;
  }

  async #send(destination: Destination, text: string, options: DirectOptions): Promise<Sent> {
    const { messageId = newMessageId(), automated = true, asRequest = false } = options;
    const from = await this.#from();
    this.#openGreetings();
    const body = textBody(messageId, from, destination, text, Date.now());
    const parts = {
      relay: this.api,
      directory: this.#directory,
      author: authorOf(from, this.#identity),
      seal: sealHere,
      now: () => Date.now(),
      groups: this.#groupsNow,
      journal: this.#journal,
    };
    return this.#inTurn(messageId, () => send(parts, body, destination, { automated, asRequest }));
  }

  /** Groups as they are for sending: asked for each time. */
  get #groupsNow(): ProgramParts['groups'] {
    const groups = this.#groups;
    return {
      now: (id) => groups.now(id, 0),
      expire: (id) => groups.expire(id),
      unconfirmed: (id) => groups.unconfirmed(id),
    };
  }

  /** A message that is given twice at once goes out once: the second finds what the first has left. */
  #inTurn(messageId: string, work: () => Promise<Sent>): Promise<Sent> {
    const before = this.#sending.get(messageId) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(work);
    this.#sending.set(messageId, turn);
    const forget = () => {
      if (this.#sending.get(messageId) === turn) this.#sending.delete(messageId);
    };
    turn.then(forget, forget);
    return turn;
  }

  /** The address that the relay names as the sender. */
  async #from(): Promise<string> {
    this.#me ??= this.api.me().catch((error) => {
      this.#me = null;
      throw error;
    });
    const { address: from } = await this.#me;
    if (this.#identity && this.#identity.address !== from) {
      throw new IdentityError('identity_of_another', { owner: from, address: this.#identity.address });
    }
    this.#address = from;
    return from;
  }
}

/** @param view of a group that was just asked for */
function viewOf(view: GroupView | null): GroupView {
  if (!view) throw new Error('a group that was just asked for has no view');
  return view;
}

function isAddress(person: string): boolean {
  return person.startsWith('0x');
}

/** What an identity knows first-hand of its own address. */
function knowledgeOf(identity: Identity): OwnKnowledge {
  const { address } = identity;
  return { address, newest: () => identity.deviceList, lists: () => identity.deviceLists };
}
