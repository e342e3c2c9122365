/**
 * Which passphrases may be chosen: one rule for the app, its hosts, the command line and the library. It refuses what
 * anyone would try first. That what it lets through is hard to guess, no program knows. The rule is asked
 * where a passphrase is set, and never where one opens something.
 */

/** In code points. */
export const SHORTEST_PASSPHRASE = 8;

/**
 * Why a passphrase is refused: it is too short, repeats itself, follows the alphabet, the digits or the keyboard, is among
 * the first that are tried, or is a name of its owner.
 */
export type PassphraseFault = 'short' | 'repeated' | 'sequence' | 'common' | 'own_name';

/** Fewer different characters than this are a repetition. */
const FEWEST_DIFFERENT = 5;
/** What is left of a passphrase when each part that anyone would try counts as one or two characters. */
const LEAST_LEFT = 6;
/** What is longer is judged by its beginning: the work stays small. */
const LONGEST_JUDGED = 256;

/** Rows of keys (US, German, French) and orders that fingers and minds follow, in both directions. */
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  'wxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '!@#$%^&*()',
  '!"§$%&/()=',
];
const sequences = rows.flatMap((row) => [row, [...row].reverse().join('')]);

/** The longest first, so that no word takes a part of a longer one. */
const byLength = (a: string, b: string) => b.length - a.length;

/** The words in the passwords that leaked most often, and those that this app suggests. Small letters, no digits. */
const commonWords = [
  ...['password', 'passwort', 'motdepasse', 'contrasena', 'senha', 'passphrase', 'passcode', 'kennwort'],
  ...['letmein', 'welcome', 'admin', 'administrator', 'login', 'master', 'secret', 'access', 'root', 'test'],
  ...['iloveyou', 'loveyou', 'loveme', 'mylove', 'lovely', 'love', 'princess', 'sunshine', 'flower', 'angel'],
  ...['dragon', 'monkey', 'football', 'baseball', 'basketball', 'soccer', 'hockey', 'liverpool', 'arsenal'],
  ...['chelsea', 'superman', 'batman', 'spiderman', 'starwars', 'pokemon', 'naruto', 'hunter', 'ranger'],
  ...[
    'shadow',
    'michael',
    'jordan',
    'jennifer',
    'jessica',
    'ashley',
    'charlie',
    'daniel',
    'thomas',
    'robert',
  ],
  ...['computer', 'internet', 'whatever', 'trustno', 'freedom', 'changeme', 'default', 'guest', 'user'],
  ...['summer', 'winter', 'spring', 'autumn', 'monday', 'friday', 'january', 'december', 'cookie', 'cheese'],
  ...['chocolate', 'butterfly', 'mustang', 'harley', 'ferrari', 'mercedes', 'samsung', 'google', 'facebook'],
  ...[
    'waxwing',
    'server',
    'message',
    'messages',
    'chat',
    'hello',
    'qwerty',
    'qwertz',
    'azerty',
    'fourrandomwords',
  ],
].sort(byLength);

const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/**
 * Why a passphrase may not be chosen; null if it may.
 * @param own what anyone knows of its owner: handle and name
 */
export function passphraseFault(passphrase: string, own: readonly string[] = []): PassphraseFault | null {
  if ([...passphrase].length < SHORTEST_PASSPHRASE) return 'short';
  const text = passphrase.normalize('NFKC').toLowerCase().slice(0, LONGEST_JUDGED);
  if (isRepeated(text)) return 'repeated';
  const names = own
    .flatMap(namesIn)
    .filter((name) => name.length >= 3)
    .sort(byLength);
  const unnamed = withoutWords(text, names);
  if (unnamed.includes(WORD) && isLittle(withoutSequences(unnamed))) return 'own_name';
  const short = withoutSequences(text);
  if (short !== text && isLittle(short)) return 'sequence';
  for (const read of [text, short, text.replace(/[013457@$!]/g, (each) => lookalikes[each] ?? each)]) {
    const left = withoutWords(read, commonWords);
    if (left.includes(WORD) && isLittle(withoutSequences(left))) return 'common';
  }
  return null;
}

/** Few characters, or few again and again: `abcabcab`. */
function isRepeated(text: string): boolean {
  if (new Set(text).size < FEWEST_DIFFERENT) return true;
  for (let period = 1; period < SHORTEST_PASSPHRASE && period * 2 <= text.length; period++) {
    if (text.startsWith(text.slice(period))) return true;
  }
  return false;
}

/** Stands for a word that was found: no passphrase has it. */
const WORD = '\u0000';

const isLittle = (left: string) => [...left].length < LEAST_LEFT;

/** Each run of three and more, of one character or along a row, as its first and last. A year is such a run, too. */
function withoutSequences(text: string): string {
  let left = '';
  for (let start = 0; start < text.length; ) {
    const end = Math.max(endOfRun(text, start), endOfRow(text, start));
    left += end - start > 2 ? `${text[start]}${text[end - 1]}` : text[start];
    start = end - start > 2 ? end : start + 1;
  }
  return left.replace(/(?:19|20)\d\d/g, 'y');
}

function endOfRun(text: string, start: number): number {
  let end = start + 1;
  while (text[end] === text[start]) end += 1;
  return end;
}

function endOfRow(text: string, start: number): number {
  let end = start + 2;
  while (end < text.length && sequences.some((row) => row.includes(text.slice(start, end + 1)))) end += 1;
  return end;
}

/** Each of the words as one character; and what stands between words does not count. */
function withoutWords(text: string, words: readonly string[]): string {
  let left = text.replace(/[\s._-]+/g, '');
  for (const word of words) left = left.replaceAll(word, WORD);
  return left;
}

/** A name as one word, and each of its words. */
function namesIn(name: string): string[] {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s._@-]+/);
  return [words.join(''), ...words];
}
