/**
 * The words of the page, in the language that the host wrote into it.
 */
import { wordsIn } from '../../words/catalogues.ts';
import { languageOf } from '../../words/languages.ts';

/** The text of a message, as in `t('browserHost.stopped')`. */
export const t = wordsIn(languageOf(document.documentElement.lang)).text;
