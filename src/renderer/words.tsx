/** The texts of the interface, in the language that the host wrote into the page. */
import { Fragment, type ReactElement, type ReactNode } from 'react';
import type { FailureData } from '../base/failure.ts';
import type { MessageSummary } from '../bridge/shapes/message.ts';
import { wordsIn } from '../words/catalogues.ts';
import { failureSentence } from '../words/failures.ts';
import type { RichKey, Tags, Values } from '../words/format.ts';
import { summaryTextIn } from '../words/summaries.ts';
import { language } from './locale.ts';

/** All of them, for functions that write in any language. */
export const words = wordsIn(language);

/** The text of a message, as in `t('firstRun.confirmWord', { place: 3 })`. */
export const t = words.text;

/** The sentence of a failure. */
export const failureText = (failure: FailureData) => failureSentence(words, failure);

/** The summary of a message, in one line. */
export const summaryText = (summary: MessageSummary) => summaryTextIn(words, summary);

/** Elements for the tags in messages. */
const tags: Tags<ReactElement> = {
  /** A name chosen by a person: its direction must not affect the sentence around it. */
  bdi: (parts) => <bdi>{inOrder(parts)}</bdi>,
  /** Addresses and similar texts. */
  mono: (parts) => <span className="font-mono text-meta">{inOrder(parts)}</span>,
  strong: (parts) => <strong className="font-semibold">{inOrder(parts)}</strong>,
};

/** A message with tags, as elements. */
export function rich<K extends RichKey>(key: K, ...values: Values<K>): ReactNode {
  return inOrder(words.parts(key, tags, ...values));
}

/** Parts never move, so their positions are sufficient keys. */
function inOrder(parts: readonly (string | ReactElement)[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
  return parts.map((part, index) => <Fragment key={index}>{part}</Fragment>);
}
