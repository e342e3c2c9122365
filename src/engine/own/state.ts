/**
 * Settings shared by the person's devices, and their effect here: muted, pinned, archived, blocked and
 * verified people, names, unread marks, and read positions.
 *
 * This file has the order of values and the effect of each. Their rows and limits belong in ../cache/own-registers.ts, their
 * sending in ../sending/own-sharing.ts, and the questions about values of a removed device in ../views/own-changes.ts.
 */
import { isDeepStrictEqual } from 'node:util';
import type { EventName, EventPayload } from '../../bridge/contract.ts';
import type { MessageId } from '../../messaging/contents/fields.ts';
import {
  isSendableSetting,
  jsonBytes,
  MAX_ENTRIES,
  MAX_ENTRIES_BYTES,
  OwnReadContent,
  OwnSetContent,
} from '../../messaging/contents/kinds/own.ts';
import { nextSentAt } from '../../messaging/contents/versions.ts';
import { isDatedAhead } from '../../messaging/trust/replay.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import { randomBytes } from '../../protocol/crypto.ts';
import { decodeBase64Url, decodeTime, encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import type { DirectBody } from '../../protocol/payload.ts';
import { isWireAddress } from '../../protocol/wire-address.ts';
import type { Contacts, StoredTimer } from '../cache/contacts.ts';
import type { Conversations, StoredConversation } from '../cache/conversations.ts';
import { giveUpPicture, storeFace } from '../cache/face-pictures.ts';
import type { Faces } from '../cache/faces.ts';
import type { FileTasks } from '../cache/file-tasks.ts';
import type { Files } from '../cache/files.ts';
import type { Groups } from '../cache/group-chains.ts';
import type { IdentityRows } from '../cache/identity-rows.ts';
import type { Lifetimes } from '../cache/lifetimes.ts';
import type { Messages } from '../cache/messages.ts';
import type { OwnReads } from '../cache/own-reads.ts';
import { HERE, type OwnRegisters, type OwnVersion, type Setter } from '../cache/own-registers.ts';
import type { Timelines } from '../cache/timelines.ts';
import type { UnwantedBlobs } from '../cache/unwanted-blobs.ts';
import { AVATAR, HANDLE } from './profile.ts';

/** Changes within this time share one message, in milliseconds. */
const TOGETHER = 3_000;

/** Size of the original device in an entry, with a comma. */
const BY_BYTES = jsonBytes({ by: 'A'.repeat(22) }) + 1;

/** Prefixes of keys about a conversation or a person. */
export type Mark = 'muted' | 'pinned' | 'archived' | 'nickname' | 'blocked' | 'verified' | 'unread' | 'timer';

/** Settings for one unsealed message. */
interface Batch extends OwnVersion {
  at: number;
  entries: number;
  bytes: number;
}

/** The required parts of an engine. */
interface OwnParts {
  readonly contacts: Contacts;
  readonly conversations: Conversations;
  readonly faces: Faces;
  readonly files: Files;
  readonly fileTasks: FileTasks;
  readonly unwantedBlobs: UnwantedBlobs;
  readonly groups: Groups;
  readonly identity: IdentityRows;
  readonly lifetimes: Lifetimes;
  readonly messages: Messages;
  readonly timelines: Timelines;
  readonly ownReads: OwnReads;
  readonly ownRegisters: OwnRegisters;
  readonly emit: <E extends EventName>(name: E, payload: EventPayload<E>) => void;
  readonly now: () => number;
  transaction<T>(work: () => T): T;
  eraseTraces(): void;
}

export class OwnState {
  readonly #context: OwnParts;
  #batch: Batch | null = null;
  /** Changes not emitted yet. */
  #changed = {
    conversations: new Set<number>(),
    timelines: new Set<number>(),
    /** Groups by conversation, for changes that only their owner sees. */
    groups: new Set<number>(),
    people: new Set<string>(),
    self: false,
    devices: false,
    invites: false,
    hasErased: false,
  };
  #onDue: () => void = () => undefined;
  #onHandle: () => void = () => undefined;

  constructor(context: OwnParts) {
    this.#context = context;
  }

  /** @param listener called when there is something to send to other devices */
  onDue(listener: () => void): void {
    this.#onDue = listener;
  }

  /** @param listener called when another own device has changed the handle at the relay */
  onHandle(listener: () => void): void {
    this.#onHandle = listener;
  }

  /** Closes the current batch before it is sent: later changes start a new one. */
  closeBatch(): void {
    this.#batch = null;
  }

  /**
   * Sets a mark of a conversation or a person, by wire address or group id; null removes it. By action of the
   * person.
   */
  mark(mark: Mark, name: string, value: unknown): void {
    this.set(`${mark}/${name}`, value);
  }

  /** Ends the block of a person on all own devices. The chat returns to its state before. By action of the person. */
  unblock(address: string): void {
    this.mark('blocked', address, null);
    // Also without a setting, of which only a limited number is stored.
    this.#context.transaction(() => this.#block(address, false));
    this.emitChanges();
  }

  /** Sets a setting shared by all their devices; null removes it. By action of the person. */
  set(key: string, value: unknown): void {
    this.#context.transaction(() => this.setWithin(key, value));
    this.emitChanges();
  }

  /** The same in the caller's transaction. Call {@link emitChanges} afterwards. */
  setWithin(key: string, value: unknown): void {
    const { ownRegisters } = this.#context;
    const current = ownRegisters.get(key);
    const isMark = key.startsWith('unread/');
    const isSame = isDeepStrictEqual(current?.value ?? null, value);
    // A value from another device becomes this device's own once the person sets it here.
    if (!isMark && isSame && (current?.deviceId ?? null) === null) return;
    const version = this.#versionFor(key, value, current);
    ownRegisters.put(key, value, version, true, HERE);
    this.#apply(key, value, version);
    this.prune();
    this.#onDue();
  }

  /** The message of a new value: shared with others of the same moment, and later than the replaced value. */
  #versionFor(key: string, value: unknown, current: OwnVersion | null): OwnVersion {
    const { now } = this.#context;
    const bytes = jsonBytes({ key, value }) + BY_BYTES;
    const read = key.startsWith('unread/')
      ? this.#context.ownReads.version(key.slice('unread/'.length))
      : null;
    const before = [current, read].flatMap((each) => (each ? [decodeTime(each.sentAt)] : []));
    const replaced = before.length > 0 ? Math.max(...before) : null;
    const open = this.#batch;
    const matches =
      open !== null &&
      now() - open.at < TOGETHER &&
      open.entries < MAX_ENTRIES &&
      open.bytes + bytes < MAX_ENTRIES_BYTES &&
      (replaced === null || decodeTime(open.sentAt) > replaced);
    this.#batch = matches
      ? { ...open, entries: open.entries + 1, bytes: open.bytes + bytes }
      : { ...newVersion(nextSentAt(now(), null, replaced)), at: now(), entries: 1, bytes };
    return this.#batch;
  }

  /**
   * Stores that the person has read up to a message, or that an own device cleared its mark.
   * @param upTo null: no message here
   */
  read(name: string, upTo: MessageId | null): void {
    const { ownReads, ownRegisters, now } = this.#context;
    if (upTo === null) {
      if (ownRegisters.valueOf(`unread/${name}`) !== null) this.mark('unread', name, null);
      return;
    }
    const before = [ownRegisters.get(`unread/${name}`), ownReads.version(name)].flatMap((each) =>
      each ? [decodeTime(each.sentAt)] : [],
    );
    const sentAt = nextSentAt(now(), null, before.length > 0 ? Math.max(...before) : null);
    const { sender, id } = upTo;
    ownReads.setDue({ conversation: name, upTo: { sender, id }, ...newVersion(sentAt) });
    this.#onDue();
  }

  /**
   * Applies settings from another own device, in the caller's transaction. Call {@link emitChanges}
   * afterwards.
   * @param body signed by an own device, from the person to themselves
   * @param deviceId of the signing device
   */
  apply(body: DirectBody, deviceId: string): void {
    if (body.kind === 'own.set') this.#receiveSettings(body, deviceId);
    else if (body.kind === 'own.read') this.#receiveRead(body);
  }

  /**
   * Stores a setting of a history if it is later than the current one, in the caller's transaction. Call {@link emitChanges}
   * afterwards, and {@link prune} after the last one of a transaction. Other devices have it already. One that no `own.set` could have
   * contained is passed over: sending it to a new device would fail, with all later settings.
   * @param source the own device that sent the history, which is responsible for its values; null for a backup
   * @param deviceId the device that signed the value, according to the history
   * @param by the device that set it first, according to that one; null: the same
   */
  merge(
    key: string,
    value: unknown,
    version: OwnVersion,
    { source, deviceId, by }: { source: string | null; deviceId: string; by: string | null },
  ): void {
    const { ownRegisters } = this.#context;
    // The current one may have to be sent.
    if (ownRegisters.get(key)?.id === version.id || !isSendableSetting(key, value)) return;
    const setter = source === null ? { deviceId, by } : this.#setterOf(source, by ?? deviceId);
    if (ownRegisters.put(key, value, version, false, setter)) this.#apply(key, value, version);
  }

  /**
   * @param deviceId of the device that signed or sent a value
   * @param by the device that set it first, according to that one; null without one
   */
  #setterOf(deviceId: string, by: string | null): Setter {
    const isNamed = by !== null && by !== deviceId && this.#context.identity.hasHadDevice(by);
    return { deviceId, by: isNamed ? by : null };
  }

  #receiveSettings(body: DirectBody, deviceId: string): void {
    const { ownRegisters } = this.#context;
    const { sentAt, id } = body;
    const version = { sentAt, id };
    for (const { key, value, by } of OwnSetContent.parse(body).entries) {
      const setter = this.#setterOf(deviceId, by ?? null);
      if (ownRegisters.put(key, value, version, false, setter)) this.#apply(key, value, version);
      // Also an older value: of two claims the relay has the last that arrived there.
      if (key === HANDLE) this.#onHandle();
    }
    this.prune();
  }

  /** Deletes settings beyond the limits, and the chats that their blocks have made. In the caller's transaction. */
  prune(): void {
    const { conversations, ownRegisters, now } = this.#context;
    for (const key of ownRegisters.prune(now())) {
      const found = key.startsWith('blocked/') && this.find(key.slice('blocked/'.length));
      if (found) conversations.removeMadeByBlock(found.id);
    }
  }

  #receiveRead(body: DirectBody): void {
    const { messages, ownReads } = this.#context;
    const { conversation, upTo } = OwnReadContent.parse(body);
    const name = conversation.peer ?? conversation.group ?? '';
    const found = this.find(name);
    if (!found) return;
    ownReads.note(name, { sentAt: body.sentAt, id: body.id });
    const message = messages.find(found.id, upTo.sender, decodeBase64Url(upTo.id));
    if (message) this.#readUpTo(found, message.id, decodeTime(body.sentAt));
    else ownReads.wait(found.id, upTo);
    this.#changed.conversations.add(found.id);
  }

  /**
   * Call this after a message was stored, in the same transaction: another device may have read it already.
   */
  stored(conversationId: number, body: MessageId, messageId: number): void {
    const { conversations, now, ownReads } = this.#context;
    if (!ownReads.hasCome(conversationId, body)) return;
    const conversation = conversations.get(conversationId);
    if (!conversation) return;
    const read = ownReads.version(conversation.name);
    this.#readUpTo(conversation, messageId, read ? decodeTime(read.sentAt) : now());
  }

  /** @param at time of reading */
  #readUpTo({ id, lastReadId }: StoredConversation, messageId: number, at: number): void {
    const { conversations, lifetimes, timelines, now } = this.#context;
    const lastRead = timelines.readUpTo(id, messageId, lastReadId);
    conversations.markRead(id, lastRead, timelines.countReceivedAfter(id, lastRead));
    lifetimes.shown(id, lastRead, at, now());
    this.#changed.conversations.add(id);
  }

  /** The conversation with an address or of a group; null for none. */
  find(name: string): StoredConversation | null {
    const { conversations, groups } = this.#context;
    if (isWireAddress(name)) return conversations.findByAddress(name);
    const group = groups.find(name);
    return group && conversations.findByGroup(group.id);
  }

  /** Effect of a new value apart from storing it. None for values unknown to this version. */
  #apply(key: string, value: unknown, { sentAt, id }: OwnVersion): void {
    const { ownRegisters, identity } = this.#context;
    if (!ownRegisters.get(key)?.isKnown) return;
    if (key === 'setting/name') {
      identity.saveProfile({ ...identity.profile(), displayName: value as string | null });
      this.profileChanged();
      return;
    }
    if (key.startsWith('setting/') || key.startsWith('device/')) {
      if (key === AVATAR) this.#setOwnPicture(value as AttachedFile | null, { sentAt, id });
      this.#changed.self = true;
      if (key.startsWith('device/')) this.#changed.devices = true;
      return;
    }
    if (key.startsWith('kept/')) {
      this.#changed.devices = true;
      return;
    }
    if (key.startsWith('invite/')) {
      this.#changed.invites = true;
      return;
    }
    if (key.startsWith('link/')) {
      const group = this.find(key.split('/')[1] ?? '');
      if (group) this.#changed.groups.add(group.id);
      return;
    }
    const slash = key.indexOf('/');
    const [mark, name] = [key.slice(0, slash) as Mark, key.slice(slash + 1)];
    if (mark === 'blocked') this.#block(name, value === true);
    if (mark === 'nickname' && isWireAddress(name)) this.personChanged(name);
    if (mark === 'timer' && isWireAddress(name) && value !== null)
      this.#setTimer(name, value as StoredTimer, ownRegisters.get(key));
    const conversation = this.find(name);
    if (conversation) this.#changed.conversations.add(conversation.id);
  }

  /**
   * Its own date is older than that of the setting, and is judged like that of a message. The device that signed is responsible also
   * for a timer that it names as the partner's: this device has not received it from the partner.
   */
  #setTimer(address: string, timer: StoredTimer, setter: Setter | null): void {
    const { contacts, now } = this.#context;
    if (isDatedAhead(decodeTime(timer.sentAt), now())) return;
    contacts.ensure(address, now());
    contacts.setTimer(address, timer, setter ?? HERE);
  }

  /** The person's own picture. It is downloaded if another device chose it. */
  #setOwnPicture(picture: AttachedFile | null, version: OwnVersion): void {
    const { faces, identity } = this.#context;
    const own = identity.get()?.address;
    if (own === undefined) return;
    const before = faces.get(own);
    const face = { ...version, sender: own, name: null, about: null, picture };
    if (!storeFace(this.#context, own, face) || !before?.picture) return;
    if (before.picture.key === picture?.key) return;
    giveUpPicture(this.#context, before);
    this.#changed.hasErased = true;
  }

  /** A blocked person has a conversation, where the block is shown and can be removed. */
  #block(address: string, isBlocked: boolean): void {
    const { contacts, conversations, fileTasks, now } = this.#context;
    if (!isWireAddress(address)) return;
    if (isBlocked) for (const id of fileTasks.cancelAutomatic(address)) this.#changed.timelines.add(id);
    const known = this.find(address);
    if (!known && !isBlocked) return;
    const { id } = known ?? conversations.ensure(contacts.ensure(address, now()).id, 'blocked', now());
    if (isBlocked) conversations.setState(id, 'blocked');
    else conversations.endBlock(id);
    this.#changed.conversations.add(id);
    // The rights on its messages depend on the block, whose end removes an empty chat.
    if (conversations.get(id)) this.#changed.timelines.add(id);
  }

  /**
   * The person's own handle or name has changed: stores it in the row that names them in chats, too. Call
   * {@link emitChanges} afterwards.
   */
  profileChanged(): void {
    const { contacts, identity } = this.#context;
    const { handle, displayName } = identity.profile();
    const address = identity.get()?.address;
    this.#changed.self = true;
    const known = address === undefined ? null : contacts.find(address);
    if (!known || handle === null) return;
    const { address: own, handle: before, handleVerified } = known;
    const profile = { address: own, handle, displayName, verified: handleVerified && handle === before };
    for (const renamed of contacts.saveOwn(profile)) this.personChanged(renamed);
  }

  /** Name or picture of someone has changed in shown conversations. Call {@link emitChanges} afterwards. */
  personChanged(address: string): void {
    const { conversations, groups } = this.#context;
    this.#changed.people.add(toChecksumAddress(address));
    // Also if they or the user are no longer members, because their messages stay.
    for (const id of groups.ids()) {
      const conversation = conversations.findByGroup(id);
      if (!conversation) continue;
      this.#changed.conversations.add(conversation.id);
      this.#changed.timelines.add(conversation.id);
    }
    const direct = this.find(address);
    if (!direct) return;
    this.#changed.conversations.add(direct.id);
    this.#changed.timelines.add(direct.id);
  }

  /** The picture of a group has changed. Call {@link emitChanges} afterwards. */
  groupChanged(groupId: string): void {
    const conversation = this.find(groupId);
    if (!conversation) return;
    this.#changed.conversations.add(conversation.id);
    this.#changed.timelines.add(conversation.id);
  }

  /** Emits the changes. */
  emitChanges(): void {
    const { emit } = this.#context;
    const { conversations, timelines, groups, people, self, devices, invites, hasErased } = this.#changed;
    this.#changed = {
      conversations: new Set(),
      timelines: new Set(),
      groups: new Set(),
      people: new Set(),
      self: false,
      devices: false,
      invites: false,
      hasErased: false,
    };
    if (hasErased) this.#context.eraseTraces();
    if (self) emit('app.changed', {});
    if (devices) emit('devices.changed', { isNew: false });
    if (invites) emit('invites.changed', {});
    if (people.size > 0) emit('people.changed', { addresses: [...people] });
    const changedGroups = new Set([...timelines, ...groups]);
    if (changedGroups.size > 0) emit('groups.changed', { conversationIds: [...changedGroups].map(String) });
    for (const id of timelines) emit('messages.changed', { conversationId: String(id) });
    if (conversations.size > 0) emit('conversations.changed', { ids: [...conversations].map(String) });
  }

  /**
   * Schedules all current values again, each as a later value of the same kind, for a newly linked device.
   * Entries close in time share a message, so that values set meanwhile by another device are still later.
   */
  restate(): void {
    const { contacts, ownRegisters, now } = this.#context;
    this.#batch = null;
    for (const { address, timer } of contacts.timers()) {
      const key = `timer/${address}`;
      const known = ownRegisters.get(key);
      if (isDeepStrictEqual(known?.value, timer)) continue;
      // Dated like the timer: the present time would be later than changes of another device meanwhile.
      const setAt = Math.min(decodeTime(timer.sentAt), now());
      const after = known === null ? setAt : Math.max(setAt, decodeTime(known.sentAt) + 1);
      ownRegisters.put(key, timer, newVersion(after), true, HERE);
    }
    const oldest = now() - RESTATED_FOR;
    let chunk: { key: string; value: unknown; sentAt: string }[] = [];
    let bytes = 0;
    const close = () => {
      const last = chunk.at(-1);
      if (!last) return;
      const version = newVersion(Math.max(decodeTime(last.sentAt) + 1, oldest));
      for (const { key, value } of chunk) ownRegisters.put(key, value, version, true, null);
      chunk = [];
      bytes = 0;
    };
    for (const register of ownRegisters.current()) {
      const size = jsonBytes({ key: register.key, value: register.value }) + BY_BYTES;
      const isFull = chunk.length === MAX_ENTRIES || bytes + size >= MAX_ENTRIES_BYTES;
      const from = chunk[0] ? Math.max(decodeTime(chunk[0].sentAt), oldest) : Number.POSITIVE_INFINITY;
      if (isFull || decodeTime(register.sentAt) - from > TOGETHER) close();
      chunk.push(register);
      bytes += size;
    }
    close();
  }
}

/** Age from which no recipient accepts a message, at a relay with the shortest retention, in milliseconds. */
const RESTATED_FOR = 10 * 24 * 3_600_000;

function newVersion(sentAt: number): OwnVersion {
  return { sentAt: encodeTime(sentAt), id: encodeBase64Url(randomBytes(16)) };
}
