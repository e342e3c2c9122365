/** The language that the host wrote into the page, and the locale for dates and numbers. */
import { languageOf } from '../words/languages.ts';
import { localeOf } from '../words/locale.ts';

/** Absent without a page, as in tests. */
const { document } = globalThis as { document?: { documentElement: { lang: string } } };

export const language = languageOf(document?.documentElement.lang);

/** For `Intl`. */
export const locale = localeOf(language);
