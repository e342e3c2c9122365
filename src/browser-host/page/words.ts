/** The texts of the page, in the language that the host wrote into it. */
import { wordsIn } from '../../words/catalogues.ts';
import { languageOf } from '../../words/languages.ts';

/** A text by key, as in `t('browserHost.stopped')`. */
export const t = wordsIn(languageOf(document.documentElement.lang)).text;
