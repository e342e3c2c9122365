/**
 * The words of the desktop beside its window.
 */
import { env } from 'node:process';
import { wordsIn } from '../words/catalogues.ts';
import { LANGUAGE_VARIABLE, languageOf } from '../words/languages.ts';

export const language = languageOf(env[LANGUAGE_VARIABLE]);

/** The text of a message, as in `t('desktop.unread', { count: 3 })`. */
export const t = wordsIn(language).text;
