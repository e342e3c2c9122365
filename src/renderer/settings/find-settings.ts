import { locale } from '../locale.ts';
import type { SectionName } from '../shared/setting-names.ts';
import type { SettingEntry } from './entries.ts';

/** Lower case without accents, to match quick typing. */
function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLocaleLowerCase(locale);
  return plain.split(/[^\p{Letter}\p{Number}]+/u).filter((word) => word !== '');
}

/**
 * The settings in which each typed word is a prefix in the title, the section or the search words. Those with all of
 * them in the title come first.
 */
export function findSettings(
  entries: readonly SettingEntry[],
  sectionTitles: Readonly<Record<SectionName, string>>,
  text: string,
): SettingEntry[] {
  const wanted = wordsOf(text);
  if (wanted.length === 0) return [];
  const has = (words: string[]) => wanted.every((each) => words.some((word) => word.startsWith(each)));
  const inTitle = entries.filter(({ title }) => has(wordsOf(title)));
  const elsewhere = entries.filter(
    (entry) =>
      !inTitle.includes(entry) &&
      has(wordsOf(`${entry.title} ${entry.words} ${sectionTitles[entry.section]}`)),
  );
  return [...inTitle, ...elsewhere];
}
