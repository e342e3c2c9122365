/**
 * Answers in notifications of an earlier run, which Windows keeps in its Action Center: nothing is there any more that would
 * send them. They become drafts, for the person has not seen what came since.
 */
import type { ActivationArguments } from 'electron';
import { engineProcedures } from '../bridge/contract.ts';
import { Id } from '../bridge/shapes.ts';
import type { Calls } from '../host/calls.ts';
import type { Session } from '../host/session.ts';

/** Answers that wait until the app is unlocked. */
const MOST_WAITING = 20;
/** Of a draft, in characters. */
const MOST_TEXT = 4_000;

interface Answer {
  conversationId: string;
  text: string;
}

export class LostAnswers {
  readonly #calls: Pick<Calls, 'call'>;
  readonly #session: Pick<Session, 'isOpen'>;
  readonly #open: (conversationId: string) => void;
  #waiting: Answer[] = [];

  /** @param open shows the conversation of a draft that was kept */
  constructor(
    calls: Pick<Calls, 'call'>,
    session: Pick<Session, 'isOpen'>,
    open: (conversationId: string) => void,
  ) {
    this.#calls = calls;
    this.#session = session;
    this.#open = open;
  }

  /** Takes what the system says about an activated notification; anything but an answer is passed over. */
  async take({ type, reply = '', arguments: raw }: ActivationArguments): Promise<void> {
    const { data: conversationId } = Id.safeParse(new URLSearchParams(raw).get('tag'));
    const text = reply.slice(0, MOST_TEXT).trim();
    if (type !== 'reply' || conversationId === undefined || text === '') return;
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push({ conversationId, text });
    await this.keep();
  }

  /** Keeps what waits, if the app is unlocked. */
  async keep(): Promise<void> {
    if (!this.#session.isOpen) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const answer of waiting) await this.#keep(answer);
  }

  /** Behind a draft that is there. */
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
