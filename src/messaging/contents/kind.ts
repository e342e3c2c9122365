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

/** Makes a bubble and counts as unread. */
export interface JudgedMessage {
  as: 'message';
  kind: string;
  /** What is to be read, where it is no more than a text; null for what has a look of its own. */
  text: string | null;
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

export interface Kind {
  readonly name: string;
  /** What a body of this kind is; null if its fields are wrong, or it may not be in this channel. */
  judge(channel: Channel, body: unknown): JudgedMessage | JudgedControl | null;
}

interface Definition<C> {
  name: string;
  /** In which payloads it may be. Both unless said. */
  channels?: readonly Channel[];
  /** Fields beyond these are kept and ignored. */
  schema: z.ZodType<C>;
}

interface MessageDefinition<C> extends Definition<C> {
  /** Left out where it has a look of its own. */
  text?(content: C): string;
  /** Its text unless said. */
  summary?(content: C): string;
  /** False for what does not deserve a notification. */
  notifies?: boolean;
  fields?(content: C): Fields;
}

export function messageKind<C>(definition: MessageDefinition<C>): Kind {
  const { name, notifies = true } = definition;
  return kindOf(definition, (content) => {
    const text = definition.text?.(content) ?? null;
    const summary = definition.summary?.(content) ?? text ?? '';
    const fields = definition.fields?.(content) ?? {};
    return { as: 'message', kind: name, text, summary, notifies, fields };
  });
}

interface ControlDefinition<C> extends Definition<C> {
  /** Left out where it changes nothing that is stored. See {@link JudgedControl.apply}. */
  apply?(content: C, by: Author, store: ContentStore): boolean;
}

export function controlKind<C>(definition: ControlDefinition<C>): Kind {
  return kindOf(definition, (content) => ({
    as: 'control',
    kind: definition.name,
    apply: (by, store) => definition.apply?.(content, by, store) ?? false,
  }));
}

function kindOf<C>(
  { name, channels = ['direct', 'group'], schema }: Definition<C>,
  judged: (content: C) => JudgedMessage | JudgedControl,
): Kind {
  return {
    name,
    judge(channel, body) {
      const content = channels.includes(channel) ? schema.safeParse(body) : null;
      return content?.success ? judged(content.data) : null;
    },
  };
}
