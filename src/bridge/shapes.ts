/**
 * What a user interface sees of the world: plain data, validated at every boundary.
 *
 * Addresses are EIP-55 text, times are milliseconds since 1970 (UTC), ids are opaque strings.
 */
import { z } from 'zod';

export const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
export const Time = z.number().int().nonnegative();
export const Id = z.string().min(1).max(128);

/** How the sender of a message is known. Only `verified` was proven by the sender's own wallet. */
export const Trust = z.enum(['self', 'verified', 'api', 'bot']);
export type Trust = z.infer<typeof Trust>;

/** Where an own message is on its way. `received` is for messages of others. */
export const MessageState = z.enum(['queued', 'sent', 'failed', 'received']);
export type MessageState = z.infer<typeof MessageState>;

export const Person = z.strictObject({
  address: Address,
  handle: z.string().nullable(),
  displayName: z.string().nullable(),
  /** The relay's operator vouches for the handle. Says nothing about keys. */
  handleVerified: z.boolean(),
});
export type Person = z.infer<typeof Person>;

export const Message = z.strictObject({
  id: Id,
  conversationId: Id,
  sender: Address,
  kind: z.enum(['text', 'unsupported']),
  text: z.string(),
  sentAt: Time,
  /** When this device stored it: the order of the timeline. */
  storedAt: Time,
  state: MessageState,
  trust: Trust,
  /** For `failed`: a sentence for the person. */
  problem: z.string().nullable(),
});
export type Message = z.infer<typeof Message>;

export const Conversation = z.strictObject({
  id: Id,
  peer: Person,
  /** `request`: somebody unknown wrote first; nothing is answered until the person accepts. */
  state: z.enum(['accepted', 'request', 'blocked']),
  unread: z.number().int().nonnegative(),
  /** Id of the first message not read yet, when the conversation was fetched. */
  firstUnreadId: Id.nullable(),
  draft: z.string(),
  last: z.strictObject({ text: z.string(), at: Time, outgoing: z.boolean(), state: MessageState }).nullable(),
  /** The contact's certified devices changed and the person has not been told yet. */
  devicesChangedAt: Time.nullable(),
});
export type Conversation = z.infer<typeof Conversation>;

export const ContactDevice = z.strictObject({
  id: Id,
  type: z.enum(['app', 'api']),
  validUntil: Time,
});
export type ContactDevice = z.infer<typeof ContactDevice>;

/** All that is known about a contact, for the details pane. */
export const ContactDetails = z.strictObject({
  person: Person,
  /** Sequence of the pinned device list; 0 while none was seen. */
  listSequence: z.number().int().nonnegative(),
  devices: z.array(ContactDevice),
  /** Whether the owner allows messages that no device signed. */
  unsigned: z.array(z.enum(['api', 'bots'])),
  firstSeenAt: Time.nullable(),
});
export type ContactDetails = z.infer<typeof ContactDetails>;

export const Connection = z.strictObject({
  state: z.enum(['online', 'connecting', 'offline']),
  /** Sentence for the person about the last failure, while not online. */
  problem: z.string().nullable(),
  nextRetryAt: Time.nullable(),
  /** Own messages waiting for the relay. */
  queued: z.number().int().nonnegative(),
});
export type Connection = z.infer<typeof Connection>;

export const Me = z.strictObject({
  address: Address,
  handle: z.string().nullable(),
  displayName: z.string().nullable(),
  deviceId: Id,
  relayUrl: z.string(),
});
export type Me = z.infer<typeof Me>;

/** How the key of the local database is protected on this machine. */
export const KeyProtection = z.strictObject({
  kind: z.enum(['os-key-store', 'file']),
  /** One sentence in plain words for Settings. */
  sentence: z.string(),
});
export type KeyProtection = z.infer<typeof KeyProtection>;

export const Settings = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  /** Whether closing the window keeps polling in the tray (desktop only). */
  keepInTray: z.boolean(),
  notifications: z.enum(['full', 'name', 'hidden', 'off']),
});
export type Settings = z.infer<typeof Settings>;

export const defaultSettings: Settings = { theme: 'system', keepInTray: true, notifications: 'hidden' };
