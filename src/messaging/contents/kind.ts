/**
 * What one kind of contents is: its fields, whether it is a message or a control, and what it does. Each kind is one
 * file in `kinds/`, listed in all-kinds.ts.
 */
import type { z } from 'zod';
import type { Channel } from './channel.ts';
import type { Place, Voice } from './control-rights.ts';
import type { Mention, Ref } from './fields.ts';
import type { Version } from './versions.ts';

/** A content as it goes into a body: its kind, and the fields of that kind. */
export interface Content {
  readonly kind: string;
  readonly [field: string]: unknown;
}

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
/** What an interface needs to draw a message, beside its text. */
export type Fields = Readonly<Record<string, Json>>;

/** Makes a bubble and counts as unread. `Look`: names of kinds with a look of their own. */
export type JudgedMessage<Look extends string = string> = JudgedText | JudgedLook<Look>;

/** No more than a text. */
interface JudgedText extends JudgedFields {
  kind: string;
  text: string;
}

/** What has a look of its own. */
interface JudgedLook<Look extends string> extends JudgedFields {
  kind: Look;
  text: null;
}

interface JudgedFields {
  as: 'message';
  /** One line for lists and notifications. */
  summary: string;
  /** Whether a notification is shown for it. */
  notifies: boolean;
  fields: Fields;
}

/** Makes no bubble, is never unread and never notifies: at most it changes what is stored. */
export interface JudgedControl {
  as: 'control';
  kind: string;
  /** Changes what is stored as the content asks for, as far as its sender may. Null where the kind changes nothing of it. */
  readonly apply: ((by: ControlBy, store: ContentStore) => Applied) | null;
}

/** What came of a control. `waiting`: a message that it is about is not here, and it is applied again when that comes. */
export type Applied = 'changed' | 'waiting' | 'nothing';

/** Who sent a control and when, as far as that is proven. */
export interface ControlBy {
  readonly voice: Voice;
  /** Orders it among others that set the same. */
  readonly version: Version;
  /** When it came, as that counts on this device, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** Whether it came again because this device asked for it. */
  readonly wasAskedFor: boolean;
}

/**
 * A message of the conversation that a control came in. What is set keeps the greatest version, in whatever order values come;
 * each method returns whether anything changed, durable with the transaction that takes the control.
 */
export interface StoredContent {
  readonly voice: Voice;
  /** Null of an own message that is not sealed yet. */
  readonly digest: string | null;
  /** As it was signed, whole. */
  readonly body: Readonly<Record<string, unknown>>;
  /** By its sender's clock, in milliseconds since 1970. */
  readonly sentAt: number;
  /** When it came, as that counts on this device, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** Whether its words are erased: nothing is set of it any more. */
  readonly isDeleted: boolean;
  /** All emoji of one voice. */
  setReaction(by: Voice, emoji: readonly string[], version: Version): boolean;
  /** What the message reads like from this version on. */
  addEdit(edit: Edit, version: Version): boolean;
  setPinned(isPinned: boolean, version: Version): boolean;
  /** Erases its words, and all that was set of it. */
  erase(by: Voice): boolean;
}

/** What an edit puts in place of a text or a caption. */
export interface Edit {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

/** The conversation that a control came in, with its stored messages. */
export interface ContentStore {
  readonly place: Place;
  /** The message under a name; where there are several, the one with this digest. */
  find(target: Ref): StoredContent | null;
  /**
   * Keeps the control until the message of this name comes.
   * @param content what is kept of it beside who sent it and when
   * @returns false if that was here and is gone for good, or there is no room for what waits
   */
  wait(target: Ref, content: Content): boolean;
  /** After how many seconds what is written in the conversation from now on disappears; 0 for never. */
  setTimer(seconds: number, version: Version): boolean;
}

/** `Look`: its name, if it has a look of its own, or else never. */
export interface Kind<Look extends string = string> {
  readonly name: string;
  /** What a body of this kind is; null if its fields are wrong, or it may not be in this channel. */
  judge(channel: Channel, body: unknown): JudgedMessage<Look> | JudgedControl | null;
}

interface Definition<C> {
  name: string;
  /** In which payloads it may be. Both unless said. */
  channels?: readonly Channel[];
  /** Fields beyond these are kept and ignored. */
  schema: z.ZodType<C>;
}

interface MessageDefinition<C> extends Definition<C> {
  /** False for what does not deserve a notification. */
  notifies?: boolean;
  fields?(content: C): Fields;
}

interface TextDefinition<C> extends MessageDefinition<C> {
  text(content: C): string;
  /** Its text unless said. */
  summary?(content: C): string;
}

/** A kind of messages that are no more than a text. */
export function textKind<C>(definition: TextDefinition<C>): Kind<never> {
  const { name, notifies = true } = definition;
  return kindOf<C, never>(definition, (content) => {
    const text = definition.text(content);
    const summary = definition.summary?.(content) ?? text;
    return { as: 'message', kind: name, text, summary, notifies, fields: definition.fields?.(content) ?? {} };
  });
}

interface LookDefinition<C, Name extends string> extends MessageDefinition<C> {
  name: Name;
  /** Says in one line what it is, where its look cannot be shown. Never empty. */
  summary(content: C): string;
}

/** A kind of messages with a look of its own: the compiler asks the interface for it (src/bridge/looks.ts). */
export function lookKind<C, const Name extends string>(definition: LookDefinition<C, Name>): Kind<Name> {
  const { name, notifies = true } = definition;
  return kindOf(definition, (content) => {
    const summary = definition.summary(content);
    const fields = definition.fields?.(content) ?? {};
    return { as: 'message', kind: name, text: null, summary, notifies, fields };
  });
}

interface ControlDefinition<C> extends Definition<C> {
  /** Left out where it changes nothing that is stored. See {@link JudgedControl.apply}. */
  apply?(content: C, by: ControlBy, store: ContentStore): Applied;
}

export function controlKind<C>(definition: ControlDefinition<C>): Kind<never> {
  const { name, apply } = definition;
  return kindOf<C, never>(definition, (content) => ({
    as: 'control',
    kind: name,
    apply: apply ? (by, store) => apply(content, by, store) : null,
  }));
}

function kindOf<C, Look extends string>(
  { name, channels = ['direct', 'group'], schema }: Definition<C>,
  judged: (content: C) => JudgedMessage<Look> | JudgedControl,
): Kind<Look> {
  return {
    name,
    judge(channel, body) {
      const content = channels.includes(channel) ? schema.safeParse(body) : null;
      return content?.success ? judged(content.data) : null;
    },
  };
}
