/** A history as people write it, from a seed: chats, authors, lengths, scripts, links and files. */

export interface WrittenMessage {
  /** Number of its chat, from 0: a few chats have most messages. */
  chat: number;
  /** Number of its author, from 0. */
  author: number;
  text: string;
  hasFile: boolean;
}

const CHATS = 300;
const AUTHORS = 400;
const WORDS = 30_000;
const LONGEST = 25;
const SYLLABLES =
  'an ar be ber con da de ein er es for ge gra hi in ing ir ka la le lo ma mi na ne no o on or per pho qu ra re sa sch se st ta te the ti to tu un ver vi wa x zu'.split(
    ' ',
  );
const OTHER_SCRIPTS = [
  '東京で会いましょう',
  'ที่ตลาดพรุ่งนี้',
  'مرحبا بكم',
  'Встретимся завтра',
  '👍🏽',
  'café Zürich',
];

/** Formatting of a word. */
const MARKS = ['**-**', '*-*', '_-_', '~~-~~', '`-`', '**-**,', '**-**s'];

/** The words of a history: common ones first. */
export function vocabularyOf(random: () => number): string[] {
  return Array.from({ length: WORDS }, () =>
    Array.from(
      { length: 1 + Math.floor(random() * 4) },
      () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? '',
    ).join(''),
  );
}

export function* historyOf(
  count: number,
  random: () => number,
  vocabulary: readonly string[],
): Generator<WrittenMessage> {
  // As in languages, few words make most of a text.
  const word = () => vocabulary[Math.floor(vocabulary.length * random() ** 3)] ?? '';
  for (let number = 0; number < count; number++) {
    const words = Array.from({ length: 1 + Math.floor(random() ** 2 * LONGEST) }, word);
    if (random() < 0.05) words.push(OTHER_SCRIPTS[Math.floor(random() * OTHER_SCRIPTS.length)] ?? '');
    if (random() < 0.04) words.push(`https://${word()}.example/${word()}`);
    if (random() < 0.1) {
      const at = Math.floor(words.length * random());
      words[at] = MARKS[Math.floor(MARKS.length * random())]?.replace('-', words[at] ?? '') ?? '';
    }
    yield {
      chat: Math.floor(CHATS * random() ** 2),
      author: Math.floor(AUTHORS * random()),
      text: words.join(' '),
      hasFile: random() < 0.06,
    };
  }
}
