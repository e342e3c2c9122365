/**
 * The library's client of a relay, in terms of people, groups and messages. Sealing, proving and opening happen here,
 * on this machine.
 *
 * Each method is one request of a program, and calls the parts that carry it out in a few lines. Their code belongs in
 * src/messaging, or in ./message-sender.ts, ./control-sender.ts and ./program-groups.ts; input and output in ./shapes.ts; plain
 * calls of the API in ./api.ts.
 */

import { parseAddress } from '../base/address.ts';
import { pause } from '../base/backoff.ts';
import { inviteTo } from '../messaging/contents/kinds/invite.ts';
import type { Greetings } from '../messaging/greeting/greetings.ts';
import { createBot, revokeBot } from '../messaging/groups/bots.ts';
import { type JoinProof, joinByAny, MAX_TICKETS } from '../messaging/groups/join.ts';
import { KeyDirectory } from '../messaging/trust/directory.ts';
import type { ProvenKeys } from '../messaging/trust/judge.ts';
import type { OwnKnowledge } from '../messaging/trust/key-trust.ts';
import type { AttachedFile } from '../protocol/blob/file.ts';
import { readBotSecret } from '../protocol/bots.ts';
import { credentialTypeOf } from '../protocol/credentials.ts';
import type { PrivateKey } from '../protocol/crypto.ts';
import type { Ticket } from '../protocol/roster/forms.ts';
import type { HandleRecord } from '../protocol/schemas/directory.ts';
import type { GroupEntry } from '../protocol/schemas/groups.ts';
import type { Me } from '../protocol/schemas/me.ts';
import { RelayApi } from './api.ts';
import { normaliseRelayUrl } from './check.ts';
import { ControlSender } from './control-sender.ts';
import { editOf, type Named, nameOf, reactionTo } from './controls.ts';
import { Failure, IdentityError } from './errors.ts';
import { fetchFile } from './files/download.ts';
import { describedBy, type FileAbout, type FileToSend } from './files/source.ts';
import type { TransferOptions } from './files/transfer.ts';
import { uploadFile } from './files/upload.ts';
import { createGreetings } from './greetings.ts';
import { RelayHttp } from './http.ts';
import type { Identity } from './identity/identity.ts';
import type { KeptInvitation } from './identity/journal/invitations.ts';
import { Journal } from './identity/journal/journal.ts';
import type { Message } from './message.ts';
import { MessageSender } from './message-sender.ts';
import { joinOf, ProgramGroups } from './program-groups.ts';
import { type ReceiveOptions, receive } from './receiving.ts';
import { answerIdOf, contentBody, conversationOf, newMessageId } from './sealing.ts';
import { type OnProblem, patiently, type Sent } from './sending.ts';
import { SecretCredential } from './session.ts';
import type {
  DirectFilesOptions,
  DirectOptions,
  FilesOptions,
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
 * const client = new RelayClient({ relay: 'https://relay.example', secret: process.env.WAXWING_API_KEY ?? '' });
 * await client.send('@alice', 'The nightly build is green.');
 */
export class RelayClient {
  /** Every call of the API (docs/protocol.md), for tasks outside this class. */
  readonly api: RelayApi;
  readonly #identity: Identity | null;
  readonly #bot: PrivateKey | null;
  readonly #isToken: boolean;
  readonly #journal: Journal;
  readonly #directory: KeyDirectory;
  readonly #groups: ProgramGroups;
  readonly #sender: MessageSender;
  readonly #controls: ControlSender;
  /** Calls with a session of the identity; null before the first. */
  #session: RelayApi | null = null;
  /** Announcements started by this client: they end with it. */
  #greetings: Greetings | null = null;
  readonly #closing = new AbortController();
  readonly #onProblem: OnProblem | undefined;

  /** @throws Failure, IdentityError for an invalid relay, identity or secret */
  constructor(options: RelayClientOptions) {
    this.#identity = options.identity ?? null;
    this.#onProblem = options.onProblem;
    const relay = options.relay ?? options.identity?.relay;
    const secret = 'secret' in options ? options.secret : options.identity.apiKey;
    if (!relay && !this.#identity) throw new Failure('relay_address_malformed');
    if (!relay || secret === null) throw new IdentityError('identity_unregistered');
    if (!secret) throw new Failure('secret_missing');
    const type = credentialTypeOf(secret);
    if (type === null) throw new Failure('secret_malformed');
    const botKey = 'botKey' in options ? (options.botKey ?? null) : null;
    if (botKey !== null && (type !== 'group_token' || this.#identity)) {
      throw new Failure('bot_key_without_token');
    }
    this.#isToken = type === 'group_token';
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
    this.#groups = new ProgramGroups({
      api: this.api,
      isToken: this.#isToken,
      identity: this.#identity,
      sessionOf: (identity) => this.#sessionOf(identity),
      bot: this.#bot,
      journal: this.#journal,
      directory: this.#directory,
      own: () => this.#sender.known,
      addressOf: (person) => this.#addressOf(person),
    });
    this.#sender = new MessageSender({
      api: this.api,
      files: () => this.#files,
      identity: this.#identity,
      bot: this.#bot,
      isToken: this.#isToken,
      journal: this.#journal,
      directory: this.#directory,
      groups: this.#groups,
      openGreetings: () => this.#openGreetings(),
      closed: this.#closing.signal,
      onProblem: this.#onProblem,
    });
    this.#controls = new ControlSender({
      sender: this.#sender,
      identity: this.#identity,
      bot: this.#bot,
      isToken: this.#isToken,
      groups: this.#groups,
      openGreetings: () => this.#openGreetings(),
    });
  }

  /** @internal Seal keys and the trust in them. */
  get directory(): KeyDirectory {
    return this.#directory;
  }

  /** @internal Repeats calls before a message is sent, with the attempts of sending. */
  patiently<T>(attempt: () => Promise<T>): Promise<T> {
    return patiently(attempt, this.#closing.signal, this.#onProblem);
  }

  /** Aborts the calls in progress, and the attempts of sending; later calls fail. */
  close(): void {
    this.#closing.abort();
    void this.#greetings?.close();
    this.#groups.close();
    if (this.#greetings && this.#identity?.greetings === this.#greetings) this.#identity.greetings = null;
    this.#session?.close();
    this.api.close();
  }

  /**
   * Announces changes of the identity's devices to its contacts, if due: sealed and invisible messages by which they
   * notice a relay that hides the change. This runs in the background while the client sends or receives. A program
   * that ends soon should wait for it before it closes the client. Never fails: remaining announcements stay in the
   * journal beside the identity's file.
   * @param most milliseconds to wait
   */
  async greet(most = 10_000): Promise<void> {
    const greetings = this.#openGreetings();
    if (!greetings) return;
    const isDone = new AbortController();
    const sending = greetings.sendDue().finally(() => isDone.abort());
    await Promise.race([sending, pause(most, isDone.signal)]);
  }

  /** Null without a registered identity. A failure here does not affect the caller. */
  #openGreetings(): Greetings | null {
    const identity = this.#identity;
    if (!identity?.deviceList || this.#closing.signal.aborted) return null;
    try {
      if (!identity.greetings) {
        this.#greetings = createGreetings(identity, this.#directory, this.#sessionOf(identity));
        identity.greetings = this.#greetings;
      }
      identity.greetings.start();
      this.#groups.confirmDevices(identity.deviceList);
      return identity.greetings;
    } catch {
      // The journal cannot be written: announcements are planned again the next time.
      return null;
    }
  }

  /**
   * Deletes the identity's account at its relay and leaves its groups: with the wallet at once if `now` is set, otherwise
   * after seven days, unless {@link Identity.keepAccount} cancels it. The identity's file remains.
   * @returns the end of the account, in milliseconds since 1970; null: it has ended
   * @throws RelayRefusal ('owns_groups' while the account owns a group with other members), RelayUnreachable,
   *   IdentityError wallet_not_kept
   */
  async deleteAccount({ now = false }: { now?: boolean } = {}): Promise<number | null> {
    if (!this.#identity) throw new IdentityError('identity_needed', { what: 'Deleting the account' });
    return this.#identity.deleteAccount(now, (groupId) => this.leaveGroup(groupId));
  }

  /** The owner of this credential, its entitlements, and the relay's limits. */
  me(): Promise<Me> {
    return this.api.me();
  }

  /**
   * The person behind `@handle` or an address.
   * @throws RelayRefusal 'not_found' for an unknown handle; Failure for a text that is not an address
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
   * @throws UnverifiableError if the relay's answer differs from the signed one; Failure 'no_device'
   */
  async keys(person: string): Promise<ProvenKeys & { address: string }> {
    const address = await this.#addressOf(person);
    const { deviceList, sealKeys } = await this.#directory.recipient(address, 0);
    if (!deviceList) throw new Failure('no_device');
    return { address, deviceList, sealKeys };
  }

  /**
   * Seals a text for each device of a person and sends it. The sender's own devices get copies too, so that the
   * sender's app shows it.
   * @param to an address, or a handle such as `@alice`
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError, Failure 'no_device'
   * @example
   * const { messageId } = await client.send('@alice', 'Deployed.', { asRequest: true });
   */
  async send(to: string, text: string, options: DirectOptions = {}): Promise<Sent> {
    return this.#sender.send({ peer: await this.#recipientOf(to) }, text, options);
  }

  /**
   * Seals a file, uploads it, and sends it as a message. Sent again with its `messageId` after a failure or a kill, it
   * continues: with an identity in a file, or a `memory`, the same bytes are the same blob, and the relay's parts of it are
   * skipped.
   * @param to an address, or a handle such as `@alice`
   * @param file its path; or bytes or a stream with a name. A stream is stored on the disk until it is sent
   * @throws Failure 'file_unreadable', 'file_empty', 'file_too_long', 'file_changed', 'file_too_slow', 'caption_too_long',
   *   'message_differs' for other files under an id that was started; RelayRefusal such as 'blob_quota'; and as {@link send}
   * @example
   * await client.sendFile('@alice', 'report.pdf', { caption: 'The report of this week.' });
   */
  sendFile(to: string, file: FileToSend, options: DirectFilesOptions & FileAbout = {}): Promise<Sent> {
    return this.sendFiles(to, [describedBy(file, options)], options);
  }

  /**
   * Sends up to ten files as one message.
   * @throws Failure 'too_many_files', and as {@link sendFile}
   * @example
   * await client.sendFiles('@alice', ['front.jpg', { path: 'back.jpg', alt: 'The back of the house' }]);
   */
  async sendFiles(to: string, files: readonly FileToSend[], options: DirectFilesOptions = {}): Promise<Sent> {
    return this.#sender.sendFiles({ peer: await this.#recipientOf(to) }, files, options);
  }

  /**
   * Sends a file into a group, as {@link sendToGroup} sends a text.
   * @throws as {@link sendFile} and {@link sendToGroup}
   */
  sendFileToGroup(groupId: string, file: FileToSend, options: FilesOptions & FileAbout = {}): Promise<Sent> {
    return this.sendFilesToGroup(groupId, [describedBy(file, options)], options);
  }

  /** Sends up to ten files into a group as one message. @throws as {@link sendFileToGroup} */
  async sendFilesToGroup(
    groupId: string,
    files: readonly FileToSend[],
    options: FilesOptions = {},
  ): Promise<Sent> {
    return this.#sender.sendFiles({ groupId }, files, options);
  }

  /**
   * Answers a message with a file, in its place and under the same id each time, as {@link reply} does with a text. A
   * message has one such answer: of a text or of a file.
   * @param message received message, or its `ref`
   * @throws as {@link sendFile}; Failure 'message_ref_malformed'
   */
  async replyWithFile(
    message: Named,
    file: FileToSend,
    options: Omit<FilesOptions, 'messageId' | 'replyTo'> & FileAbout = {},
  ): Promise<Sent> {
    const { name, where } = nameOf(message);
    const messageId = answerIdOf(await this.#sender.address(), { from: name.sender, id: name.id });
    return this.#sender.sendFiles(where, [describedBy(file, options)], {
      ...options,
      messageId,
      replyTo: message,
    });
  }

  /**
   * Uploads a sealed file to the relay, which keeps it for 45 days. Parts already at the relay are skipped: repeat the
   * call after a failure or a restart, with the same file and spool.
   * @param file result of {@link sealFile}
   * @param spool path of the sealed file
   * @throws Failure 'file_spool_changed', 'file_too_long', 'file_too_slow'; RelayRefusal, RelayUnreachable
   */
  uploadFile(file: AttachedFile, spool: string, options: TransferOptions = {}): Promise<void> {
    return uploadFile(this.#files, file, spool, options);
  }

  /**
   * Downloads a file of a message to `target`, replacing an existing file only after the download is proven. `name`
   * and `mediaType` of the file are claims of the sender.
   * @throws Failure 'file_not_as_sent', 'file_too_slow'; RelayRefusal 'not_found' if the relay has deleted it;
   * RelayUnreachable
   */
  fetchFile(file: AttachedFile, target: string, options: TransferOptions = {}): Promise<void> {
    return fetchFile(this.#files, file, target, options);
  }

  /** Public groups, by name; with `mine`, the groups of the API key's owner (not for group tokens). */
  groups(options: { mine?: boolean; q?: string; limit?: number } = {}): Promise<GroupEntry[]> {
    const { limit = 50, ...filter } = options;
    return this.api.groups(filter, limit);
  }

  /**
   * A group with its members and their keys, according to its chain, for a member's API key or a token of that group.
   * @throws RelayRefusal, RelayUnreachable; UnverifiableError while the relay's view differs from the chain
   */
  async group(groupId: string): Promise<Group> {
    return this.#groups.shown(await this.#groups.directory.seen(groupId, 0));
  }

  /**
   * Creates a group, with the identity as its creator and only member.
   * @param options `password`: anyone who knows it may join; `open`: anyone may join. Otherwise only by invitation
   * @throws IdentityError, RelayRefusal, RelayUnreachable, Failure 'roster_act_refused'
   */
  async createGroup(
    name: string,
    options: { description?: string; password?: string; open?: boolean; listed?: boolean } = {},
  ): Promise<Group> {
    this.#groups.account('Creating a group');
    const { description = '', listed = true } = options;
    return this.#groups.shown(
      await this.#groups.directory.create({ name, description, join: joinOf(options), listed }),
    );
  }

  /**
   * Joins a group. Needs an identity.
   * @param proof the password, or the ticket of an invitation; nothing for an open group, or after an invitation
   *   arrived by {@link messages}
   * @throws IdentityError, RelayRefusal such as 'wrong_password' or 'roster_refused', RelayUnreachable, UnverifiableError
   */
  async joinGroup(groupId: string, proof: JoinProof = {}): Promise<Group> {
    this.#groups.account('Joining a group');
    const { invitations } = this.#journal;
    const kept = Object.keys(proof).length === 0 ? invitations.to(groupId, Date.now()) : [];
    const tickets = kept.slice(0, MAX_TICKETS).map(({ ticket }) => ({ ticket }));
    const joined = await joinByAny(this.#groups.directory, groupId, tickets.length > 0 ? tickets : [proof]);
    invitations.use(groupId);
    return this.#groups.shown(joined);
  }

  /**
   * Received invitations to groups, neither used nor expired, newest first. {@link joinGroup} uses them. Needs an
   * identity.
   * @throws IdentityError
   */
  invitations(): KeptInvitation[] {
    this.#groups.account('Invitations');
    return this.#journal.invitations.all(Date.now());
  }

  /** Leaves a group. @throws IdentityError, RelayRefusal, RelayUnreachable, UnverifiableError */
  async leaveGroup(groupId: string): Promise<void> {
    this.#groups.account('Leaving a group');
    await this.#groups.directory.leave(groupId);
  }

  /**
   * Changes a group, as its creator or admin.
   * @throws IdentityError, RelayRefusal, RelayUnreachable, UnverifiableError; Failure 'roster_act_refused' for a
   * change
   * that the identity may not make
   */
  async changeGroup(groupId: string, change: GroupChange): Promise<Group> {
    this.#groups.account('Changing a group');
    return this.#groups.change(groupId, change);
  }

  /**
   * Creates a bot that posts into a group of the identity. It has its own key, and members show its signed messages
   * under its name.
   * @param options `alone: true` for a token without a key: the group then allows unsigned posts
   * @throws IdentityError, RelayRefusal, RelayUnreachable, UnverifiableError; Failure 'bot_name_taken', 'name_empty',
   * 'name_long', 'bots_full', 'roster_act_refused'
   */
  async createBot(groupId: string, name: string, options: { alone?: boolean } = {}): Promise<NewBot> {
    const account = this.#groups.account('Making a bot');
    const { token, botKey } = await createBot(
      this.#groups.directory,
      account,
      groupId,
      name,
      options.alone !== true,
    );
    return { id: token.id, name, secret: token.secret, botKey };
  }

  /**
   * Revokes a group token, and removes its bot's key from the group.
   * @param id of the token; or the key of a bot without a token, from {@link group}
   * @throws IdentityError, RelayRefusal, RelayUnreachable, UnverifiableError, Failure 'roster_act_refused'
   */
  async revokeBot(groupId: string, id: string): Promise<void> {
    await revokeBot(this.#groups.directory, this.#groups.account('Revoking a bot'), groupId, id);
  }

  /**
   * Shows a group of the identity in the directory, or hides it there.
   * @throws IdentityError, RelayRefusal, RelayUnreachable
   */
  async listGroup(groupId: string, listed: boolean): Promise<void> {
    await this.#groups.account('Changing a group').saveListing(groupId, listed);
  }

  /**
   * Removes members from a group. Later messages are not sealed for them.
   * @param people addresses, or handles such as `@alice`
   * @throws IdentityError, RelayRefusal, RelayUnreachable, UnverifiableError, Failure 'roster_act_refused'
   */
  async removeMembers(groupId: string, ...people: string[]): Promise<Group> {
    this.#groups.account('Removing a member');
    return this.#groups.shown(
      await this.#groups.directory.remove(groupId, await this.#groups.addressesOf(people)),
    );
  }

  /**
   * Sends a person an invitation with a ticket, by which they can join within 30 days even if no member is online.
   * @param person an address, or a handle such as `@alice`
   * @throws IdentityError, RelayRefusal, RelayUnreachable, UnverifiableError; Failure 'roster_act_refused' for an
   * identity that may not invite, 'no_device'
   */
  async inviteToGroup(groupId: string, person: string): Promise<{ ticket: Ticket; sent: Sent }> {
    this.#groups.account('Inviting to a group');
    const peer = await this.#addressOf(person);
    const ticket = await this.#groups.directory.ticketFor(groupId, peer);
    const { group } = await this.#groups.directory.seen(groupId, Number.POSITIVE_INFINITY);
    const from = await this.#sender.address();
    const content = inviteTo({ groupId, name: group.state.name }, ticket);
    const body = contentBody(newMessageId(), from, { peer }, content, Date.now());
    return {
      ticket,
      sent: await this.#sender.sendBody(body, { peer }, { asRequest: false, automated: true }),
    };
  }

  /**
   * Withdraws the tickets of people.
   * @throws as {@link removeMembers}
   */
  async withdrawInvitations(groupId: string, ...people: string[]): Promise<Group> {
    this.#groups.account('Withdrawing an invitation');
    const uninvite = await this.#groups.addressesOf(people);
    return this.#groups.shown(
      await this.#groups.directory.change(groupId, () => ({ kind: 'change', uninvite })),
    );
  }

  /**
   * Continues with a group that a removed device has changed, or of which the relay shows others another chain. The
   * chain shown here is then accepted. Ask the others first.
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   */
  async acceptGroup(groupId: string): Promise<void> {
    await this.#groups.directory.seen(groupId, 0);
    await this.#groups.directory.goOn(groupId);
  }

  /**
   * Seals a text for each device of each member of a group and posts it. With a group token the members see it as a
   * bot's message: under its name with its key, otherwise only if the group allows unsigned posts.
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError; Failure 'bot_not_in_group', or 'bot_key_missing' for a
   *   token without a key if the group does not allow unsigned posts
   * @example
   * const { credential } = await client.me();
   * if (credential.groupId) await client.sendToGroup(credential.groupId, 'Version 1.4 is out.');
   */
  async sendToGroup(groupId: string, text: string, options: SendOptions = {}): Promise<Sent> {
    return this.#sender.send({ groupId }, text, options);
  }

  /**
   * Answers a message in its place: to its sender, or in its group. The message is quoted above the answer, and its
   * lifetime is used. The answer's id is derived from the message's, so that an answer repeated after a crash is shown
   * once. For further answers to the same message use {@link send} with `replyTo`.
   * @param message received message, or its `ref`
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError; Failure 'message_ref_malformed'
   */
  async reply(message: Named, text: string): Promise<Sent> {
    const { name, where } = nameOf(message);
    const messageId = answerIdOf(await this.#sender.address(), { from: name.sender, id: name.id });
    return this.#sender.send(where, text, { messageId, replyTo: message });
  }

  /**
   * Sets all of the program's reactions to a message, replacing the previous ones; an empty list removes them. Without
   * an identity only for messages of the same API key, group token or bot.
   * @param message received or sent message, or its `ref`
   * @param emoji at most five, each of them one grapheme
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError; Failure 'reaction_malformed', 'message_not_yours',
   *   'message_ref_malformed'
   * @example
   * await client.react(message, ['✅']);
   */
  async react(message: Named, emoji: readonly string[]): Promise<Sent> {
    const named = nameOf(message);
    return this.#controls.send('reaction', named, reactionTo(named, emoji));
  }

  /**
   * Replaces the text of a sent message within 24 hours, or the caption of its files; an empty caption removes it. People
   * can still read the previous texts.
   * @param sent result of {@link send}, or its `ref`
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError; Failure 'message_not_yours', 'edit_too_late',
   *   'message_empty', 'message_too_long', 'message_ref_malformed'
   */
  async edit(sent: Named, text: string): Promise<Sent> {
    const named = nameOf(sent);
    return this.#controls.send('edit', named, editOf(named, text, Date.now()));
  }

  /**
   * Deletes a message for everyone: an own one, or any of a group in which its identity is owner or admin. Apps erase
   * it, even if it was read.
   * @param message received or sent message, or its `ref`
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError; Failure 'message_not_yours', 'message_ref_malformed'
   */
  async delete(message: Named): Promise<Sent> {
    const named = nameOf(message);
    const deleted = await this.#controls.send('delete', named, { kind: 'delete', targets: [named.name] });
    this.#journal.sentMessages.forget(conversationOf(named.where), named.name.id);
    return deleted;
  }

  /**
   * Messages for the identity, oldest first, opened and proven; each once, also after a restart. A message is
   * acknowledged when the loop requests the next: if the loop ends, its last message arrives again. Continues while
   * the relay is unreachable.
   * @throws IdentityError without an identity; RelayRefusal if the relay finally refuses, for example a revoked key
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
      account: this.#groups.account('Receiving'),
      directory: this.#directory,
      groups: this.#groups.directory,
      identity,
      greetings: () => this.#openGreetings(),
    };
    yield* receive(parts, options);
  }

  /** A session may use blobs, even if the API key may not. */
  get #files(): RelayApi {
    return this.#identity ? this.#sessionOf(this.#identity) : this.api;
  }

  #sessionOf(identity: Identity): RelayApi {
    this.#session ??= identity.account(this.api.baseUrl);
    return this.#session;
  }

  /** As {@link #addressOf}, with the attempts of sending. */
  #recipientOf(person: string): Promise<string> {
    return this.patiently(() => this.#addressOf(person));
  }

  async #addressOf(person: string): Promise<string> {
    return isAddress(person) ? parseAddress(person) : (await this.resolve(person)).address;
  }
}

function isAddress(person: string): boolean {
  return person.startsWith('0x');
}

/** An identity's first-hand knowledge of its own address. */
function knowledgeOf(identity: Identity): OwnKnowledge {
  const { address } = identity;
  return { address, newest: () => identity.deviceList, lists: () => identity.deviceLists };
}
