import data from 'emojibase-data/en/compact.json' with { type: 'json' };
import shortcodes from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import {
  completeEmoji,
  emojiCategories,
  emojiFrom,
  findEmoji,
  inTone,
} from '../../../../src/renderer/emoji/emoji.ts';

const all = emojiFrom(data, shortcodes);
const textsFor = (text: string) => findEmoji(all, text).map((each) => each.text);

describe('emoji', () => {
  test('each occurs once, has a name and is a single grapheme', () => {
    expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
    const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
    for (const { text, name, toned } of all) {
      expect(name).not.toBe('');
      for (const each of [text, ...toned]) expect([...graphemes.segment(each)], name).toHaveLength(1);
    }
    for (const category of emojiCategories) expect(all.some((each) => each.category === category)).toBe(true);
  });

  test('none has a redundant variation selector, which would split equal reactions', () => {
    const texts = all.flatMap(({ text, toned }) => [text, ...toned]);
    expect(texts.filter((text) => /\p{Emoji_Presentation}\uFE0F/u.test(text))).toEqual([]);
    for (const text of ['👍', '❤️', '😂', '😮', '😢', '🙏']) expect(texts).toContain(text);
  });

  test('emoji with skin tones have all five, and pairs one for both people', () => {
    for (const { toned, name } of all) expect([0, 5], name).toContain(toned.length);
    const hands = all.find(({ name }) => name === 'handshake');
    expect(hands && inTone(hands, 3)).toBe('🤝🏽');
    expect(hands && inTone(hands, 0)).toBe('🤝');
    const grin = all.find(({ name }) => name === 'grinning face');
    expect(grin && inTone(grin, 5)).toBe('😀');
  });

  test('completes a shortcode: exact match first, then prefixes, then names', () => {
    const codes = (typed: string, most = 8) => completeEmoji(all, typed, most).map(({ code }) => code);
    expect(codes('smile')[0]).toBe('smile');
    expect(codes('smi', 3).every((code) => code.startsWith('smi'))).toBe(true);
    expect(codes('lau')).toContain('joy');
    expect(codes('e', 8)).toHaveLength(8);
    expect(codes('qqqq')).toEqual([]);
  });

  test('searches shortcodes, names and word prefixes; whole words first', () => {
    expect(textsFor(':tada:')).toEqual(['🎉']);
    expect(textsFor('thumbs up')[0]).toBe('👍');
    expect(textsFor('CAT')[0]).toMatch(/🐱|🐈/u);
    expect(textsFor('rain cl')).toContain('🌧️');
    expect(textsFor('qqqq')).toEqual([]);
    expect(textsFor(' ')).toEqual([]);
    expect(textsFor('a').length).toBeLessThanOrEqual(96);
  });
});
