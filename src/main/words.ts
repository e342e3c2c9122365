/**
 * The words of the desktop beside its window.
 */
import { env } from 'node:process';
import type { FailureData } from '../base/failure.ts';
import type { Gist } from '../bridge/shapes.ts';
import { wordsIn } from '../words/catalogues.ts';
import { failureSentence } from '../words/failures.ts';
import { gistText } from '../words/gists.ts';
import { LANGUAGE_VARIABLE, languageOf } from '../words/languages.ts';
import { localeOf } from '../words/locale.ts';

export const language = languageOf(env[LANGUAGE_VARIABLE]);

const words = wordsIn(language);

/** For `Intl`: how dates and numbers are written. */
export const locale = localeOf(language);

/** The text of a message, as in `t('desktop.unread', { count: 3 })`. */
export const t = words.text;

/** The sentence of a failure. */
export const failureText = (failure: FailureData) => failureSentence(words, failure);

/** What a message is in one line. */
export const textOfGist = (gist: Gist) => gistText(words, gist);
