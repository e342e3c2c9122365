/**
 * What one kind of contents is: its fields, whether it is a message or a control, and what it does. Each kind is one
 * file in `kinds/`, listed in all-kinds.ts.
 */
import type { z } from 'zod';

export type Channel = 'direct' | 'group';

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
  /**
   * Changes what is stored as the content asks for, as far as its sender may.
   * @returns whether anything changed
   */
  apply(by: Author, store: ContentStore): boolean;
}

/** Who sent a control, as far as that is proven. */
export interface Author {
  /** Wire address. */
  sender: string;
  /** Whether a certified device of the sender signed it. */
  isSigned: boolean;
  /** The key of the bot that signed it, in base64url; null where none did. A bot changes its own messages alone. */
  bot: string | null;
}

/** A message of the conversation that a control came in. */
export interface StoredContent extends Author {
  /** As it was signed, whole. */
  body: Readonly<Record<string, unknown>>;
  /** Replaces the body; durable with the transaction that takes the control. */
  replace(body: Readonly<Record<string, unknown>>): void;
}

/** The stored messages of the conversation that a control came in. */
export interface ContentStore {
  /** @param id of the message as its sender made it, 16 bytes in base64url */
  find(sender: string, id: string): StoredContent | null;
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
  apply?(content: C, by: Author, store: ContentStore): boolean;
}

export function controlKind<C>(definition: ControlDefinition<C>): Kind<never> {
  return kindOf<C, never>(definition, (content) => ({
    as: 'control',
    kind: definition.name,
    apply: (by, store) => definition.apply?.(content, by, store) ?? false,
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
