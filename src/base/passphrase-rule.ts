/**
 * The rule for new passphrases, shared by the app, its hosts, the command line and the library. It refuses
 * common first guesses. No program can know that an allowed passphrase is hard to guess. Applied when a
 * passphrase is set, never when one opens something.
 */

/** In code points. */
export const SHORTEST_PASSPHRASE = 8;

/**
 * Reason for refusing a passphrase: too short, repetitive, a sequence of the alphabet, digits or keyboard, a
 * common password, or a name of its owner.
 */
export type PassphraseFault = 'short' | 'repeated' | 'sequence' | 'common' | 'own_name';

/** Minimum number of different characters. */
const FEWEST_DIFFERENT = 5;
/** Minimum length after each guessable part counts as one or two characters. */
const LEAST_LEFT = 6;
/** Longer ones are judged by their beginning, to bound the work. */
const LONGEST_JUDGED = 256;

/** Rows of keys (US, German, French) and common orders, in both directions. */
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

/** Longest first, so that no word matches a part of a longer one. */
const byLength = (a: string, b: string) => b.length - a.length;

/** Words of the most frequently leaked passwords, and those suggested by this app. Lower case, no digits. */
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
 * Reason for refusing a passphrase; null if allowed.
 * @param own public facts about its owner: handle and name
 */
export function passphraseFault(passphrase: string, own: readonly string[] = []): PassphraseFault | null {
  if ([...passphrase].length < SHORTEST_PASSPHRASE) return 'short';
  const text = passphrase.normalize('NFKC').toLowerCase().slice(0, LONGEST_JUDGED);
  if (isRepeated(text)) return 'repeated';
  const names = own
    .flatMap(namesIn)
    .filter((name) => name.length >= 3)
    .sort(byLength);
  const unnamed = removeWords(text, names);
  if (unnamed.includes(WORD) && isLittle(withoutSequences(unnamed))) return 'own_name';
  const short = withoutSequences(text);
  if (short !== text && isLittle(short)) return 'sequence';
  for (const read of [text, short, text.replace(/[013457@$!]/g, (each) => lookalikes[each] ?? each)]) {
    const left = removeWords(read, commonWords);
    if (left.includes(WORD) && isLittle(withoutSequences(left))) return 'common';
  }
  return null;
}

/** Few different characters, or a repeated group: `abcabcab`. */
function isRepeated(text: string): boolean {
  if (new Set(text).size < FEWEST_DIFFERENT) return true;
  for (let period = 1; period < SHORTEST_PASSPHRASE && period * 2 <= text.length; period++) {
    if (text.startsWith(text.slice(period))) return true;
  }
  return false;
}

/** Placeholder for a found word: no passphrase contains it. */
const WORD = '\u0000';

const isLittle = (left: string) => [...left].length < LEAST_LEFT;

/**
 * Reduces each run of three or more, of one character or along a row, to its first and last. A year is such a
 * run, too.
 */
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

/** Reduces each word to one character, and ignores the characters between words. */
function removeWords(text: string, words: readonly string[]): string {
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
