/**
 * Definition of one kind of contents: its fields, whether it is a message or a control, and its effect. Each
 * kind is one file in `kinds/`, listed in all-kinds.ts.
 */
import type { z } from 'zod';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import type { Authorship, Place } from './authorship.ts';
import type { Channel } from './channel.ts';
import type { Mention, Ref } from './fields.ts';
import type { Version } from './versions.ts';

/** A content in the form of a body: its kind, and the fields of that kind. */
export interface Content {
  readonly kind: string;
  readonly [field: string]: unknown;
}

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
/** Data for the view of a message, beside its text. */
export type Fields = Readonly<Record<string, Json>>;

/** Makes a bubble and counts as unread. `Look`: names of kinds with their own view. */
export type JudgedMessage<Look extends string = string> = JudgedText | JudgedLook<Look>;

/** Only a text. */
interface JudgedText extends JudgedFields {
  kind: string;
  text: string;
}

/** A message with its own view. */
interface JudgedLook<Look extends string> extends JudgedFields {
  kind: Look;
  /** The text beside its view, such as a caption; null without one. */
  text: string | null;
}

interface JudgedFields {
  as: 'message';
  /** One line for lists and notifications. */
  summary: string;
  /** True if it causes a notification. */
  notifies: boolean;
  fields: Fields;
}

/** No bubble, no unread count, no notification. It may change stored contents. */
export interface JudgedControl {
  as: 'control';
  kind: string;
  /**
   * Applies the control to stored contents, within the rights of its sender. Null for a kind without an
   * effect.
   */
  readonly apply: ((by: ControlBy, store: ContentStore) => Applied) | null;
}

/** Outcome of a control. `waiting`: its message has not arrived, and the control is applied when it does. */
export type Applied = 'changed' | 'waiting' | 'nothing';

/** The proven sender of a control, with its times. */
export interface ControlBy {
  readonly authorship: Authorship;
  /** Orders it among values of the same setting. */
  readonly version: Version;
  /** Time of arrival as counted on this device, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** True if this device requested it again. */
  readonly wasRequested: boolean;
}

/**
 * A message in the conversation of a control. Of several values the greatest version is stored, regardless of
 * the order of arrival. Each method returns whether it changed anything, durable with the transaction of the
 * control.
 */
export interface StoredContent {
  readonly authorship: Authorship;
  /** Null for an own message before sealing. */
  readonly digest: string | null;
  /** The complete signed body. */
  readonly body: Readonly<Record<string, unknown>>;
  /** By its sender's clock, in milliseconds since 1970. */
  readonly sentAt: number;
  /** Time of arrival as counted on this device, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** True if its text is erased. Nothing can be set on it then. */
  readonly isDeleted: boolean;
  /** True for a copy from a file, which anyone could have changed: a control also waits for the message itself. */
  readonly isImported?: boolean;
  /** All emoji of one author. */
  setReaction(by: Authorship, emoji: readonly string[], version: Version): boolean;
  /** The text from this version on. */
  addEdit(edit: Edit, version: Version): boolean;
  setPinned(isPinned: boolean, version: Version): boolean;
  /** Erases its text with all reactions, edits and pins. */
  erase(by: Authorship): boolean;
}

/** The new text or caption of an edit. */
export interface Edit {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

/** The conversation of a control, with its stored messages. */
export interface ContentStore {
  readonly place: Place;
  /** Finds a message by name; with several of that name, the one with this digest. */
  find(target: Ref): StoredContent | null;
  /**
   * Stores the control until the message of this name arrives.
   * @param content stored beside sender and time
   * @returns false if that message was deleted, or if there is no room
   */
  wait(target: Ref, content: Content): boolean;
  /** Sets the lifetime of new messages in the conversation, in seconds; 0 for never. */
  setTimer(seconds: number, version: Version): boolean;
  /** Sets the profile of the sender in this version. */
  setProfile(profile: Profile, version: Version): boolean;
  /**
   * Sets the picture of the group; null removes it.
   * @param isRepeated true if it was set earlier, and is repeated for a new member
   */
  setPicture(file: AttachedFile | null, version: Version, isRepeated: boolean): boolean;
}

/** A person's description of themselves. */
export interface Profile {
  readonly name: string;
  readonly about: string | null;
  readonly avatar: AttachedFile | null;
}

/** `Look`: its name if it has its own view, else never. */
export interface Kind<Look extends string = string> {
  readonly name: string;
  /** Verdict on a body of this kind; null if its fields are invalid, or its channel is. */
  judge(channel: Channel, body: unknown): JudgedMessage<Look> | JudgedControl | null;
}

/** A kind of messages. */
export interface MessageKind<Look extends string = string> extends Kind<Look>, MessageFacts {}

/** Facts of a kind of messages that search, drafts, edits and rights depend on. */
interface MessageFacts {
  /** The field of the text that a person wrote: shown as its text, and searched. Null without one. */
  readonly textField: string | null;
  /** True if this text is written in the field for messages: it ends the draft there, and an edit can replace it. */
  readonly editable: boolean;
  /** True if a bot, or a program without a device, may send it. */
  readonly unsigned: boolean;
}

interface Definition<C> {
  name: string;
  /** Allowed channels. Default: both. */
  channels?: readonly Channel[];
  /** Unknown fields are stored and ignored. */
  schema: z.ZodType<C>;
}

interface MessageDefinition<C> extends Definition<C>, MessageFacts {
  /** False for a message without a notification. */
  notifies?: boolean;
  fields?(content: C): Fields;
}

interface TextDefinition<C> extends MessageDefinition<C> {
  readonly textField: string;
  /** Default: its text. */
  summary?(content: C): string;
}

/** A kind of plain text messages. */
export function textKind<C>(definition: TextDefinition<C>): MessageKind<never> {
  const { name, notifies = true } = definition;
  return messageKindOf<C, never>(definition, (content) => {
    const text = textIn(content, definition.textField);
    const summary = definition.summary?.(content) ?? text;
    return { as: 'message', kind: name, text, summary, notifies, fields: definition.fields?.(content) ?? {} };
  });
}

interface ViewDefinition<C, Name extends string> extends MessageDefinition<C> {
  name: Name;
  /** One line of text in place of its view. Never empty. */
  summary(content: C): string;
}

/**
 * A kind of messages with its own view, which the compiler requires of the interface (src/bridge/looks.ts).
 */
export function viewKind<C, const Name extends string>(
  definition: ViewDefinition<C, Name>,
): MessageKind<Name> {
  const { name, textField, notifies = true } = definition;
  return messageKindOf(definition, (content) => {
    const summary = definition.summary(content);
    const fields = definition.fields?.(content) ?? {};
    const text = textField === null ? null : textIn(content, textField);
    return { as: 'message', kind: name, text, summary, notifies, fields };
  });
}

/** Empty if the field is absent. */
function textIn(content: unknown, field: string): string {
  return (content as Readonly<Record<string, string | undefined>>)[field] ?? '';
}

function messageKindOf<C, Look extends string>(
  definition: MessageDefinition<C>,
  judged: (content: C) => JudgedMessage<Look>,
): MessageKind<Look> {
  const { textField, editable, unsigned } = definition;
  return { ...kindOf(definition, judged), textField, editable, unsigned };
}

interface ControlDefinition<C> extends Definition<C> {
  /** Absent for a kind without an effect. See {@link JudgedControl.apply}. */
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
