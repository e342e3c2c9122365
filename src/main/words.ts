/**
 * The words of the desktop beside its window.
 */
import { env } from 'node:process';
import type { FailureData } from '../base/failure.ts';
import { wordsIn } from '../words/catalogues.ts';
import { failureSentence } from '../words/failures.ts';
import { LANGUAGE_VARIABLE, languageOf } from '../words/languages.ts';
import { localeOf } from '../words/locale.ts';

export const language = languageOf(env[LANGUAGE_VARIABLE]);

/** All of them, for what both hosts say. */
export const words = wordsIn(language);

/** For `Intl`: how dates and numbers are written. */
export const locale = localeOf(language);

/** The text of a message, as in `t('desktop.unread', { count: 3 })`. */
export const t = words.text;

/** The sentence of a failure. */
export const failureText = (failure: FailureData) => failureSentence(words, failure);
