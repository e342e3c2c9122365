/**
 * The words of the interface in each language.
 */
import { english } from './english/index.ts';
import { type Catalogue, type Words, wordsOf } from './format.ts';
import type { Language } from './languages.ts';
import { pseudoCatalogue } from './pseudo.ts';

export const catalogues: Readonly<Record<Language, () => Catalogue>> = {
  en: () => english,
  'en-XB': () => pseudoCatalogue(english),
};

/** The words of a language. A page or process asks once and keeps them: another language needs a new page. */
export function wordsIn(language: Language): Words {
  return wordsOf(catalogues[language](), language);
}
