/**
 * Replies in notifications of an earlier run, which Windows keeps in its Action Center. They can no longer
 * be sent. They become drafts, because the person has not seen later messages.
 */
import type { ActivationArguments } from 'electron';
import { engineProcedures } from '../bridge/contract.ts';
import { Id } from '../bridge/shapes/values.ts';
import type { Calls } from '../host/calls.ts';
import type { Session } from '../host/session.ts';

/** Limit of replies that wait for unlocking. */
const MAX_WAITING = 20;
/** Length limit of a draft, in characters. */
const MAX_TEXT = 4_000;

interface Answer {
  conversationId: string;
  text: string;
}

export class LostAnswers {
  readonly #calls: Pick<Calls, 'call'>;
  readonly #session: Pick<Session, 'isOpen'>;
  readonly #open: (conversationId: string) => void;
  #waiting: Answer[] = [];

  /** @param open shows the conversation of a stored draft */
  constructor(
    calls: Pick<Calls, 'call'>,
    session: Pick<Session, 'isOpen'>,
    open: (conversationId: string) => void,
  ) {
    this.#calls = calls;
    this.#session = session;
    this.#open = open;
  }

  /** Handles an activated notification; all but replies are ignored. */
  async receive({ type, reply = '', arguments: raw }: ActivationArguments): Promise<void> {
    const { data: conversationId } = Id.safeParse(new URLSearchParams(raw).get('tag'));
    const text = reply.slice(0, MAX_TEXT).trim();
    if (type !== 'reply' || conversationId === undefined || text === '') return;
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push({ conversationId, text });
    await this.keep();
  }

  /** Stores waiting replies, if the app is unlocked. */
  async keep(): Promise<void> {
    if (!this.#session.isOpen) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const answer of waiting) await this.#keep(answer);
  }

  /** Appended to an existing draft. */
  async #keep({ conversationId: id, text }: Answer): Promise<void> {
    const answer = await this.#calls.call('conversations.get', { id });
    if (!answer.ok) return;
    const { draft, draftMentions: mentions } = engineProcedures['conversations.get'].output.parse(
      answer.value,
    );
    const kept = draft === '' ? text : `${draft}\n${text}`;
    const saved = await this.#calls.call('conversations.saveDraft', { id, text: kept, mentions });
    if (saved.ok) this.#open(id);
  }
}
