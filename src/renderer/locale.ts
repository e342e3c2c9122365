/**
 * The language that the host wrote into the page, and how dates and numbers are written.
 */
import { languageOf } from '../words/languages.ts';
import { localeOf } from '../words/locale.ts';

/** Nothing where there is no page, as in tests. */
const { document } = globalThis as { document?: { documentElement: { lang: string } } };

export const language = languageOf(document?.documentElement.lang);

/** For `Intl`. */
export const locale = localeOf(language);
