import { readdirSync } from 'node:fs';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { describe, expect, test } from 'vitest';
import { sentences } from '../../../src/base/sentences.ts';
import { ARGUMENT_SENTENCES, COMMAND_SENTENCES } from '../../../src/cli/sentences.ts';
import { FIELD_FAULTS } from '../../../src/protocol/faults.ts';
import { OPERATOR_SENTENCES } from '../../../src/relay/operator/sentences.ts';
import { REASONS } from '../../../src/relay/problems/reasons.ts';
import { catalogues, wordsIn } from '../../../src/words/catalogues.ts';
import { english } from '../../../src/words/english/index.ts';
import { type Language, languageOf, languages } from '../../../src/words/languages.ts';
import { pseudoMessage } from '../../../src/words/pseudo.ts';

const messages = Object.entries(english).flatMap(([section, all]) =>
  Object.entries(all).map(([name, text]) => [`${section}.${name}`, text] as const),
);

/** All elements of a message, at any depth. */
function inside(elements: MessageFormatElement[]): MessageFormatElement[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.tag) return [element, ...inside(element.children)];
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [element];
    return [element, ...inside(Object.values(element.options).flatMap(({ value }) => value))];
  });
}

const textOf = (message: string) =>
  inside(parse(message)).flatMap((element) => (element.type === TYPE.literal ? [element.value] : []));

/** Names of the parameters and tags of a message, each once: languages have different plurals. */
function namesIn(message: string): string[] {
  const names = inside(parse(message)).flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
    return [element.type === TYPE.tag ? `<${element.value}>` : `{${element.value}}`];
  });
  return [...new Set(names)].toSorted();
}

test.each(Object.keys(languages) as Language[])(
  'each message in %s has the parameters and tags of the English one',
  (language) => {
    const translated: Record<string, Record<string, string>> = catalogues[language]();
    for (const [section, texts] of Object.entries(english))
      for (const [name, message] of Object.entries(texts))
        expect(namesIn(translated[section]?.[name] ?? ''), `${section}.${name}`).toEqual(namesIn(message));
  },
);

describe('the English catalogue', () => {
  test('is ICU MessageFormat throughout', () => {
    for (const [key, message] of messages) expect(() => parse(message), key).not.toThrow();
  });

  test('has each text of Settings in one file', async () => {
    const folder = new URL('../../../src/words/english/settings/', import.meta.url);
    const pages = await Promise.all(
      readdirSync(folder).map(
        async (name): Promise<Record<string, object>> => import(new URL(name, folder).href),
      ),
    );
    const names = pages.flatMap((page) => Object.values(page).flatMap((texts) => Object.keys(texts)));
    expect(names.length).toBeGreaterThan(300);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    for (const name of names) expect(english.settings).toHaveProperty(name);
  });

  test('marks parts only with tags that the interface knows', () => {
    const used = messages.flatMap(([, message]) =>
      inside(parse(message)).flatMap((element) => (element.type === TYPE.tag ? [element.value] : [])),
    );
    expect(['bdi', 'mono', 'strong']).toEqual(expect.arrayContaining([...new Set(used)]));
  });

  test.each(['shall', 'somebody', 'whoever', 'anew'])('contains no %s, as the other catalogues', (word) => {
    const foreign = new RegExp(`\\b${word}\\b`, 'i');
    expect(messages.filter(([, message]) => foreign.test(message))).toEqual([]);
    const catalogues = [
      sentences,
      REASONS,
      OPERATOR_SENTENCES,
      COMMAND_SENTENCES,
      ARGUMENT_SENTENCES,
      FIELD_FAULTS,
    ];
    for (const catalogue of catalogues) {
      const functions = Object.values(catalogue).flatMap((one) =>
        typeof one === 'function' ? [one] : Object.values(one),
      );
      expect(functions.map(String).filter((text) => foreign.test(text))).toEqual([]);
    }
  });

  test.each([
    'relay',
    'wallet',
    'envelope',
    'sealed',
    'conversation',
    'shall',
    'somebody',
    'whoever',
    'anew',
  ])('speaks the vocabulary of the app: nowhere “%s”', (word) => {
    const found = messages.filter(([, message]) =>
      textOf(message).some((text) => new RegExp(`\\b${word}`, 'i').test(text)),
    );
    expect(found).toEqual([]);
  });
});

describe('parameters', () => {
  const { text, parts } = wordsIn('en');

  test('are formatted with plurals and numbers as in English', () => {
    expect(text('desktop.newMessages', { count: 1 })).toBe('New message');
    expect(text('desktop.newMessages', { count: 1_204 })).toBe('1,204 new messages');
    expect(text('desktop.newMessagesInChats', { messages: 12, chats: 4 })).toBe('12 new messages in 4 chats');
  });

  test('are inserted as text, not as a message', () => {
    expect(text('desktop.authorInGroup', { author: '{0} <b>', group: "it's" })).toBe("{0} <b> in it's");
  });

  test('a missing message, or a missing or wrong parameter, does not compile', () => {
    // @ts-expect-error there is no such message
    text('desktop.nothing');
    // @ts-expect-error there is no such section
    text('nothing.open');
    // @ts-expect-error the count is missing
    expect(() => text('desktop.newMessages')).toThrow();
    // @ts-expect-error a count is a number
    text('desktop.newMessages', { count: 'many' });
    // @ts-expect-error there is no such parameter
    text('desktop.open', { count: 1 });
    // @ts-expect-error a message without tags is text
    parts('desktop.open', {});
  });
});

describe('the pseudo-locale', () => {
  test('leaves no plain word in any message, and keeps its parameters and tags', () => {
    const { text } = wordsIn('en-XB');
    expect(text('desktop.newMessages', { count: 2 })).toMatch(/^2 ƞḗḗẇ/);
    for (const [key, message] of messages) {
      const changed = pseudoMessage(message);
      expect(
        textOf(changed).filter((part) => /[a-z]{2}/i.test(part)),
        key,
      ).toEqual([]);
      const kept = (of: string) =>
        inside(parse(of)).flatMap((element) =>
          element.type === TYPE.literal
            ? []
            : [JSON.stringify([element.type, 'value' in element && element.value])],
        );
      expect(kept(changed), key).toEqual(kept(message));
    }
  });

  test('isolates the direction of inserted texts', () => {
    const { text } = wordsIn('en-XB');
    expect(text('desktop.authorInGroup', { author: '@ann', group: 'Plan' })).toMatch(
      /^\u2068@ann\u2069 .+ \u2068Plan\u2069$/,
    );
  });

  test('falls back to English for an unknown language', () => {
    expect([languageOf('en-XB'), languageOf('xx'), languageOf('toString'), languageOf(undefined)]).toEqual([
      'en-XB',
      'en',
      'en',
      'en',
    ]);
  });
});
