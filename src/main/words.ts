/** The desktop's texts outside its window. */
import { env } from 'node:process';
import type { FailureData } from '../base/failure.ts';
import { wordsIn } from '../words/catalogues.ts';
import { failureSentence } from '../words/failures.ts';
import { LANGUAGE_VARIABLE, languageOf } from '../words/languages.ts';
import { localeOf } from '../words/locale.ts';

export const language = languageOf(env[LANGUAGE_VARIABLE]);

/** All texts, for both hosts. */
export const words = wordsIn(language);

/** Locale of dates and numbers, for `Intl`. */
export const locale = localeOf(language);

/** A text by key, as in `t('desktop.unread', { count: 3 })`. */
export const t = words.text;

/** The sentence of a failure. */
export const failureText = (failure: FailureData) => failureSentence(words, failure);
