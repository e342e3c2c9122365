/**
 * Makes a function that looks a message up in a catalogue and fills it in. Messages are ICU MessageFormat, formatted by
 * intl-messageformat; names and parameters are checked by the compiler against the English catalogue.
 */
import type { GetICUArgs } from '@schummar/icu-type-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import type { english } from './english/index.ts';
import { type Language, languages } from './languages.ts';
import { localeOf } from './locale.ts';

type English = typeof english;

/** The same messages in any language: sections, one for each screen, with messages by name. */
export type Catalogue = {
  readonly [Section in keyof English]: { readonly [Name in keyof English[Section]]: string };
};

/** `section.name` of each message. */
type AnyKey = {
  [Section in keyof English & string]: `${Section}.${keyof English[Section] & string}`;
}[keyof English & string];

type MessageOf<Key extends AnyKey> = Key extends `${infer Section}.${infer Name}`
  ? Section extends keyof English
    ? Name extends keyof English[Section]
      ? English[Section][Name]
      : never
    : never
  : never;

type Marked = `${string}</${string}`;

/** Messages with tags in them, such as `<bdi>{name}</bdi>`, which become elements. */
export type RichKey = { [Key in AnyKey]: MessageOf<Key> extends Marked ? Key : never }[AnyKey];

/** Messages that are text and nothing else. */
export type Key = Exclude<AnyKey, RichKey>;

type Parameters<Message extends string> = GetICUArgs<
  Message,
  { ICUArgument: string; ICUNumberArgument: number; ICUDateArgument: Date }
>;

/** Arguments of a message beside its key: none, or all of its parameters. */
export type Values<K extends AnyKey> = keyof Parameters<MessageOf<K>> extends never
  ? []
  : [values: Parameters<MessageOf<K>>];

/** Rendering of a tag, by its name. */
export type Tags<Element> = Readonly<Record<string, (parts: (string | Element)[]) => Element>>;

export interface Words {
  /** The text of a message. */
  text<K extends Key>(key: K, ...values: Values<K>): string;
  /** The parts of a message with tags. */
  parts<K extends RichKey, Element>(key: K, tags: Tags<Element>, ...values: Values<K>): (string | Element)[];
}

/** Letters that are written from right to left: the blocks from Hebrew to Arabic, their presentation forms, and plane 1's. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Isolates inserted texts, so that they do not change the direction of their sentence (Unicode's bidirectional algorithm):
 * all texts in a sentence from right to left, otherwise those with letters from right to left.
 */
function isolated(values: object, message: string, isRightToLeft: boolean): object {
  const entries = Object.entries(values).map(([name, value]) => {
    // Parameters that are only used for selection are not inserted.
    const isShown = typeof value === 'string' && !message.includes(`{${name}, select`);
    return [name, isShown && (isRightToLeft || RIGHT_TO_LEFT.test(value)) ? `\u2068${value}\u2069` : value];
  });
  return Object.fromEntries(entries);
}

/** The words of a catalogue. Each message is parsed when it is first needed. */
export function wordsOf(catalogue: Catalogue, language: Language): Words {
  const isRightToLeft = languages[language] === 'rtl';
  const locale = localeOf(language);
  const parsed = new Map<string, IntlMessageFormat>();
  const messages: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = catalogue;
  const format = (key: string, values: object) => {
    const dot = key.indexOf('.');
    const text = messages[key.slice(0, dot)]?.[key.slice(dot + 1)] ?? key;
    let message = parsed.get(key);
    if (!message) {
      message = new IntlMessageFormat(text, locale);
      parsed.set(key, message);
    }
    return message.format<unknown>(isolated(values, text, isRightToLeft) as Record<string, string>);
  };
  return {
    text: (key, ...[values]) => String(format(key, values ?? {})),
    parts<Element>(key: string, tags: Tags<Element>, values?: object) {
      return [format(key, { ...tags, ...values })].flat() as (string | Element)[];
    },
  };
}

/** Makes messages with tags, as text alone. */
export function plainIn(words: Words) {
  const untagged = (parts: (string | string[])[]) => parts.flat();
  return <K extends RichKey>(key: K, ...values: Values<K>): string =>
    words
      .parts<K, string[]>(key, { bdi: untagged, mono: untagged, strong: untagged }, ...values)
      .flat()
      .join('');
}
