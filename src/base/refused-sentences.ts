/**
 * Reasons for setting an envelope aside: for each code its parameters, and its sentence for a terminal. A
 * program receives it (src/client/receiving.ts), and `waxwing inbox` prints it. The app stores the code for
 * diagnosis and shows nothing.
 */
import { FAULTS, type FaultOf, type ParametersOf } from '../protocol/faults.ts';
import { start, unproven } from './sentences.ts';

export const REFUSED_SENTENCES = {
  /** Invalid form. */
  cannot_be_opened: () => 'It cannot be opened.',
  payload: ({ fault }: { fault: FaultOf<'payload'> }) =>
    `Its contents are malformed: ${FAULTS.payload[fault]}.`,
  addressed_to_another: () => 'It is addressed to another person.',
  sender_differs: () => 'The message and the envelope have different senders.',
  group_differs: () => 'The message and the envelope have different groups.',
  direct_by_group: () => 'It is a direct message that was sent through a group.',
  meant_for_another: () => 'The message and the envelope have different recipients.',

  /** Unproven sender. */
  unsigned: () => 'It is not signed. Its sender does not allow that.',
  token_unsigned: () =>
    'It is not signed and was posted with a group token. The owner of the group does not allow that.',
  bot_unknown: () => 'It is signed by a bot that is not in its group.',
  bot_without_token: () => 'It is signed by a bot and did not come by a group token.',
  device_not_certified: () => 'It is signed by a device that its sender did not certify.',
  device_expired: () => 'It is signed by a device whose certificate had expired.',
  signature_wrong: () => 'Its signature is wrong.',

  /** Missing right of the sender. */
  direct_by_token: () => 'It is a direct message that was sent with a group token.',
  token_not_of_creator: () => 'It was posted with a group token, but not from the owner of the group.',
  kind_unsigned: () =>
    'Messages of this kind must be signed by a device of their sender, and this one is not.',
  sender_not_in_group: () => 'Its sender is not in the group.',
  group_not_yours: () => 'You are not in its group.',
  stranger_limit: () => 'Its sender was not accepted yet and has reached the limit of messages.',

  /** Invalid time. */
  too_old: () => 'It is too old. It may have been delivered before.',
  dated_ahead: () => 'It is dated more than a day ahead.',
  older_than_remembered: () =>
    'It is older than the stored message ids of its sender. It may have been delivered before.',

  /** The relay's view of its sender or group differs from what was signed. */
  ...unproven,
  /** An error of this program, after the third attempt. */
  unexpected: start.unexpected,
} as const;

type Sentences = typeof REFUSED_SENTENCES;
export type RefusedCode = keyof Sentences;
/** The parameters of each code. */
export type RefusedParameters = {
  [C in RefusedCode]: ParametersOf<Sentences[C]>;
};

/** Reason for setting an envelope aside, as data. */
export type RefusedData = {
  [C in RefusedCode]: { code: C; parameters: RefusedParameters[C] };
}[RefusedCode];

/** The sentence for a terminal. */
export function refusedSentence({ code, parameters }: RefusedData): string {
  const sentence = REFUSED_SENTENCES[code] as (parameters: object) => string;
  return sentence(parameters);
}
