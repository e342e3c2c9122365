/**
 * The languages of the interface, with their directions. Without the catalogue, so that a host that only serves the
 * page does not load it.
 */

export const languages = {
  en: 'ltr',
  /** Pseudo-locale for tests and developers: longer, accented, laid out from right to left. See pseudo.ts. */
  'en-XB': 'rtl',
} as const;

export type Language = keyof typeof languages;

/** Names the language of an app that is started: `WAXWING_LANGUAGE=en-XB waxwing serve`. */
export const LANGUAGE_VARIABLE = 'WAXWING_LANGUAGE';

/** The language that a tag names (BCP 47, as in `lang` of HTML); English where there is none, or it is not known. */
export function languageOf(tag: string | undefined): Language {
  return tag !== undefined && Object.hasOwn(languages, tag) ? (tag as Language) : 'en';
}
