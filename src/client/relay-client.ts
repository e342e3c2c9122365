/**
 * The library's way to a relay: calls in terms of people, groups and messages. Sealing, proving and opening happen
 * here, on this machine.
 *
 * A method here is one thing that a program asks for, and says in a few lines which parts do it. How it is done belongs into
 * src/messaging, what it takes and gives into ./shapes.ts, and a call that is passed on as it is stays in ./api.ts.
 */

import { parseAddress } from '../base/address.ts';
import { pause } from '../base/backoff.ts';
import { sentenceOf } from '../base/failure.ts';
import { inviteTo } from '../messaging/contents/kinds/invite.ts';
import type { Greetings } from '../messaging/greeting/greetings.ts';
import { mintBot, revokeBot } from '../messaging/groups/bots.ts';
import type { RememberedGroup } from '../messaging/groups/chain-memory.ts';
import { GroupDirectory } from '../messaging/groups/directory.ts';
import type { GroupHellos } from '../messaging/groups/hellos.ts';
import { type JoinProof, joinSetting, type NewGroup } from '../messaging/groups/join.ts';
import type { GroupTalk, KnownGroup } from '../messaging/groups/parts.ts';
import type { GroupSource } from '../messaging/relay.ts';
import type { Flags, MessageBody } from '../messaging/sending/outgoing.ts';
import { KeyDirectory } from '../messaging/trust/directory.ts';
import type { ProvenKeys } from '../messaging/trust/judge.ts';
import type { OwnKnowledge } from '../messaging/trust/key-trust.ts';
import { readBotSecret } from '../protocol/bots.ts';
import { credentialTypeOf } from '../protocol/credentials.ts';
import type { PrivateKey } from '../protocol/crypto.ts';
import { encodeBase64Url } from '../protocol/encoding.ts';
import type { Ticket } from '../protocol/roster/forms.ts';
import type { RosterSigner } from '../protocol/roster/making.ts';
import type { HandleRecord } from '../protocol/schemas/directory.ts';
import type { GroupEntry } from '../protocol/schemas/groups.ts';
import type { Me } from '../protocol/schemas/me.ts';
import { RelayApi } from './api.ts';
import { normaliseRelayUrl } from './check.ts';
import { Failure, IdentityError } from './errors.ts';
import { createGreetings } from './greetings.ts';
import { createGroupHellos } from './group-hellos.ts';
import { RelayHttp } from './http.ts';
import type { Identity } from './identity/identity.ts';
import { Journal } from './identity/journal.ts';
import { type Message, type ReceiveOptions, receive } from './receiving.ts';
import {
  answerIdOf,
  authorOf,
  contentBody,
  type Destination,
  newMessageId,
  sealHere,
  textBody,
} from './sealing.ts';
import { type ProgramParts, type Sent, send } from './sending.ts';
import { SecretCredential } from './session.ts';
import type {
  DirectOptions,
  Group,
  GroupChange,
  NewBot,
  Person,
  RelayClientOptions,
  SendOptions,
} from './shapes.ts';

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
  readonly #bot: PrivateKey | null;
  readonly #journal: Journal;
  /** Messages that are being sent, by id. */
  readonly #sending = new Map<string, Promise<unknown>>();
  readonly #directory: KeyDirectory;
  readonly #groups: GroupDirectory<RememberedGroup>;
  /** Calls with a session of the identity; null before the first. */
  #session: RelayApi | null = null;
  /** Shows groups: what the API key may do is enough to send, and does not matter once there is a session. */
  #groupSource: GroupSource;
  #hellos: GroupHellos<RememberedGroup> | null = null;
  /** Those of the identity's greetings that this client has made: they end with it. */
  #greetings: Greetings | null = null;
  /** Number of the own list that the chains of groups name. */
  #confirmedList = 0;
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
    const type = credentialTypeOf(secret);
    if (type === null) throw new Failure('secret_malformed');
    const botKey = 'botKey' in options ? (options.botKey ?? null) : null;
    if (botKey !== null && (type !== 'group_token' || this.#identity)) {
      throw new Failure('bot_key_without_token');
    }
    this.#bot = botKey === null ? null : readBotSecret(botKey);
    if (botKey !== null && !this.#bot) throw new Failure('bot_key_malformed');
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
      source: {
        group: (id) => this.#groupSource.group(id),
        foundGroup: (request) => this.#groupSource.foundGroup(request),
        admit: (id, proof) => this.#groupSource.admit(id, proof),
        roster: (id, after) => this.#groupSource.roster(id, after),
        appendEntry: (id, entry, password) => this.#groupSource.appendEntry(id, entry, password),
        keyHistories: (wants) => this.#groupSource.keyHistories(wants),
      },
      keys: this.#directory,
      memory: this.#journal.chains,
      own,
      signer: () => this.#signer(),
      renewSigner: () => this.#renewSigner(),
      now: () => Date.now(),
      provesEarly: false,
      talk: () => this.#talk(),
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
    this.#hellos?.close();
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
      this.#confirmDevices(identity.deviceList);
      return identity.greetings;
    } catch {
      // The journal cannot be written: what is to be told is planned the next time.
      return null;
    }
  }

  /**
   * Deletes the identity's account at its relay and leaves its groups: with the wallet at once if `now` is set, otherwise
   * in seven days, until when {@link Identity.keepAccount} cancels it. The identity's file stays.
   * @returns when the account ends, in milliseconds since 1970; null: it has ended
   * @throws RelayRefusal ('owns_groups' while the account owns a group with other members), RelayUnreachable,
   *   IdentityError wallet_not_kept
   */
  async deleteAccount({ now = false }: { now?: boolean } = {}): Promise<number | null> {
    if (!this.#identity) throw new IdentityError('identity_needed', { what: 'Deleting the account' });
    return this.#identity.deleteAccount(now, (groupId) => this.leaveGroup(groupId));
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
   * A group with its members and their keys, as its chain says, for a member's API key or a token of that group.
   * @throws RelayRefusal, RelayUnreachable; UnverifiableError while the relay does not show what the chain says
   */
  async group(groupId: string): Promise<Group> {
    return this.#shown(await this.#groups.seen(groupId, 0));
  }

  /**
   * Creates a group, with the identity as its creator and only member.
   * @param options `password`: whoever knows it may join; `open`: anybody may. Else people join by invitation alone
   * @throws IdentityError, RelayRefusal, RelayUnreachable, Failure 'roster_act_refused'
   */
  async createGroup(
    name: string,
    options: { description?: string; password?: string; open?: boolean; listed?: boolean } = {},
  ): Promise<Group> {
    this.#account('Creating a group');
    const { description = '', listed = true } = options;
    return this.#shown(await this.#groups.create({ name, description, join: joinOf(options), listed }));
  }

  /**
   * Joins a group. Needs an identity.
   * @param proof the password, or the ticket of an invitation; nothing for an open group
   * @throws IdentityError, RelayRefusal such as 'wrong_password' or 'roster_refused', RelayUnreachable, UnverifiableError
   */
  async joinGroup(groupId: string, proof: JoinProof = {}): Promise<Group> {
    this.#account('Joining a group');
    return this.#shown(await this.#groups.join(groupId, proof));
  }

  /** Leaves a group. @throws IdentityError, RelayRefusal, RelayUnreachable, UnverifiableError */
  async leaveGroup(groupId: string): Promise<void> {
    this.#account('Leaving a group');
    await this.#groups.leave(groupId);
  }

  /**
   * Changes a group, as its creator or, in what they may change, as an admin.
   * @throws IdentityError, RelayRefusal, RelayUnreachable, UnverifiableError; Failure 'roster_act_refused' for what the
   *   identity may not do
   */
  async changeGroup(groupId: string, change: GroupChange): Promise<Group> {
    this.#account('Changing a group');
    const { password, open, addAdmins = [], removeAdmins = [], creator, ...fields } = change;
    const isJoin = password !== undefined || open !== undefined;
    const join = isJoin ? await joinSetting(groupId, joinOf({ password, open })) : null;
    const [added, removed] = await Promise.all([
      this.#addressesOf(addAdmins),
      this.#addressesOf(removeAdmins),
    ]);
    const successor = creator === undefined ? undefined : await this.#addressOf(creator);
    const known = await this.#groups.change(
      groupId,
      ({ admins }) => ({
        kind: 'change',
        ...fields,
        ...join?.fields,
        ...(added.length + removed.length > 0 && {
          admins: [...new Set([...admins, ...added])].filter((address) => !removed.includes(address)),
        }),
        ...(successor !== undefined && { creator: successor }),
      }),
      join?.told,
    );
    return this.#shown(known);
  }

  /**
   * Makes a bot that posts into a group of the identity's own. It has a key of its own, and members show what it signs
   * under its name.
   * @param options `alone: true` for a token without a key: the group is made to allow what nobody signed
   * @throws IdentityError, RelayRefusal, RelayUnreachable, UnverifiableError; Failure 'bot_name_taken', 'bot_name_long',
   *   'bots_full', 'roster_act_refused'
   */
  async createBot(groupId: string, name: string, options: { alone?: boolean } = {}): Promise<NewBot> {
    const account = this.#account('Making a bot');
    const { token, botKey } = await mintBot(this.#groups, account, groupId, name, options.alone !== true);
    return { id: token.id, name, secret: token.secret, botKey };
  }

  /**
   * Ends a group token, and takes the key of its bot out of the group.
   * @param id of the token; or the key of a bot that no token posts for, as {@link group} tells it
   * @throws IdentityError, RelayRefusal, RelayUnreachable, UnverifiableError, Failure 'roster_act_refused'
   */
  async revokeBot(groupId: string, id: string): Promise<void> {
    await revokeBot(this.#groups, this.#account('Revoking a bot'), groupId, id);
  }

  /** Shows a group of the identity's own in the directory, or hides it there. @throws IdentityError, RelayRefusal, RelayUnreachable */
  async listGroup(groupId: string, listed: boolean): Promise<void> {
    await this.#account('Changing a group').saveListing(groupId, listed);
  }

  /**
   * Removes members from a group. Nothing is sealed for them any more once the relay has it.
   * @param people addresses, or handles such as `@alice`
   * @throws IdentityError, RelayRefusal, RelayUnreachable, UnverifiableError, Failure 'roster_act_refused'
   */
  async removeMembers(groupId: string, ...people: string[]): Promise<Group> {
    this.#account('Removing a member');
    return this.#shown(await this.#groups.remove(groupId, await this.#addressesOf(people)));
  }

  /**
   * Sends a person an invitation, with a ticket by which they can join within 30 days though nobody is online.
   * @param person an address, or a handle such as `@alice`
   * @throws IdentityError, RelayRefusal, RelayUnreachable, UnverifiableError; Failure 'roster_act_refused' for one who may
   *   not invite, 'no_device'
   */
  async inviteToGroup(groupId: string, person: string): Promise<{ ticket: Ticket; sent: Sent }> {
    this.#account('Inviting to a group');
    const peer = await this.#addressOf(person);
    const ticket = await this.#groups.ticketFor(groupId, peer);
    const { group } = await this.#groups.seen(groupId, Number.POSITIVE_INFINITY);
    const from = await this.#from();
    const content = inviteTo({ groupId, name: group.state.name }, ticket);
    const body = contentBody(newMessageId(), from, { peer }, content, Date.now());
    return { ticket, sent: await this.#sendBody(body, { peer }, { asRequest: false, automated: true }) };
  }

  /** Withdraws the tickets that people have. @throws as {@link removeMembers} */
  async withdrawInvitations(groupId: string, ...people: string[]): Promise<Group> {
    this.#account('Withdrawing an invitation');
    const uninvite = await this.#addressesOf(people);
    return this.#shown(await this.#groups.change(groupId, () => ({ kind: 'change', uninvite })));
  }

  /**
   * Goes on with a group in which a device that was removed since has changed something, or of which the relay shows
   * others another chain: what the relay shows here counts. Ask the others first.
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   */
  async acceptGroup(groupId: string): Promise<void> {
    await this.#groups.seen(groupId, 0);
    await this.#groups.goOn(groupId);
  }

  /**
   * Seals a text for each device of each member of a group and posts it. With a group token the members see it as a
   * bot's message: with its key under its name, else only where the group allows what nobody signed.
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError; Failure 'bot_not_in_group'
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

  #addressesOf(people: readonly string[]): Promise<string[]> {
    return Promise.all(people.map((person) => this.#addressOf(person)));
  }

  async #addressOf(person: string): Promise<string> {
    return isAddress(person) ? parseAddress(person) : (await this.resolve(person)).address;
  }

  async #send(destination: Destination, text: string, options: DirectOptions): Promise<Sent> {
    const { messageId = newMessageId(), automated = true, asRequest = false } = options;
    const from = await this.#from();
    this.#openGreetings();
    const body = textBody(messageId, from, destination, text, Date.now());
    return this.#sendBody(body, destination, { automated, asRequest });
  }

  async #sendBody(body: MessageBody, destination: Destination, flags: Flags): Promise<Sent> {
    const parts = {
      relay: this.api,
      directory: this.#directory,
      author: authorOf(body.sender, this.#identity, 'groupId' in destination ? this.#bot : null),
      seal: sealHere,
      now: () => Date.now(),
      groups: this.#groupsNow,
      journal: this.#journal,
    };
    return this.#inTurn(body.id, () => send(parts, body, destination, flags));
  }

  /** Groups as they are for sending: asked for each time. */
  get #groupsNow(): ProgramParts['groups'] {
    const groups = this.#groups;
    return {
      now: async (id) => {
        const group = await groups.now(id, 0);
        this.#requireBot(id);
        return group;
      },
      expire: (id) => groups.expire(id),
    };
  }

  /** @throws Failure 'bot_not_in_group' */
  #requireBot(groupId: string): void {
    const bot = this.#bot && encodeBase64Url(this.#bot.publicKey);
    const bots = this.#journal.chains.find(groupId)?.state.bots ?? [];
    if (bot && !bots.some(({ key }) => key === bot)) throw new Failure('bot_not_in_group');
  }

  /** What is shown of a group. @throws UnverifiableError while that is not what its chain says */
  #shown({ group, view }: KnownGroup<RememberedGroup>): Group {
    const problem = this.#groups.problem(group);
    if (!view) throw problem ?? new Error('a group that was just asked for has no view');
    const { admins, bots, unsignedBots } = group.state;
    const ofChain = { admins: [...admins], bots: [...bots], unsignedBots };
    return { ...view, ...ofChain, problem: problem && sentenceOf(problem.data) };
  }

  /** @throws IdentityError without an identity that is registered */
  #signer(): RosterSigner {
    const identity = this.#identity;
    if (!identity) throw new IdentityError('identity_needed', { what: 'Changing a group' });
    const list = identity.deviceList?.sequence;
    if (list === undefined) throw new IdentityError('identity_unregistered');
    return { address: identity.address, deviceKey: identity.deviceKey, list };
  }

  /** Looks whether another device has changed the identity's list. @throws what registration throws */
  async #renewSigner(): Promise<void> {
    const identity = this.#identity;
    if (!identity) return;
    const registration = identity.registration(this.#sessionOf(identity));
    registration.recheck();
    await registration.ensure();
  }

  /** The chains of the identity's groups are to name its newest list. What cannot be done now is done the next time. */
  #confirmDevices({ sequence }: { sequence: number }): void {
    if (sequence === this.#confirmedList) return;
    this.#confirmedList = sequence;
    this.#groupSource = this.#account('Changing a group');
    void this.#groups.confirmDevices(this.#journal.chains.all()).catch(() => {
      this.#confirmedList = 0;
    });
  }

  /** Null without a registered identity: nobody signs what is said. */
  #talk(): GroupTalk<RememberedGroup> | null {
    const identity = this.#identity;
    if (!identity?.deviceList || this.#isClosed) return null;
    const groups = this.#groups;
    this.#hellos ??= createGroupHellos(identity, this.#directory, this.#sessionOf(identity), {
      nowThoughSplit: (id) => groups.nowThoughSplit(id, 0),
      expire: (id) => groups.expire(id),
    });
    return this.#hellos;
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

/** How people get in. */
function joinOf({
  password,
  open,
}: {
  password?: string | undefined;
  open?: boolean | undefined;
}): NewGroup['join'] {
  if (password !== undefined) return { mode: 'password', password };
  return open ? { mode: 'open' } : { mode: 'invite' };
}

function isAddress(person: string): boolean {
  return person.startsWith('0x');
}

/** What an identity knows first-hand of its own address. */
function knowledgeOf(identity: Identity): OwnKnowledge {
  const { address } = identity;
  return { address, newest: () => identity.deviceList, lists: () => identity.deviceLists };
}
