/** Sending of the library's messages: each with its fields beside the text, and one call at a time for an id. */

import { isBlank } from '../base/invisible.ts';
import { mentionsField } from '../messaging/contents/mentions.ts';
import { requireCaption, toMessageText } from '../messaging/contents/text.ts';
import type { Flags, MessageBody } from '../messaging/sending/outgoing.ts';
import type { KeyDirectory } from '../messaging/trust/directory.ts';
import type { PrivateKey } from '../protocol/crypto.ts';
import { Timer } from '../protocol/roster/forms.ts';
import type { Me } from '../protocol/schemas/me.ts';
import type { RelayApi } from './api.ts';
import { nameOf } from './controls.ts';
import { Failure, IdentityError } from './errors.ts';
import { attachFiles } from './files/attach.ts';
import type { FileToSend } from './files/source.ts';
import type { Identity } from './identity/identity.ts';
import type { Journal } from './identity/journal/journal.ts';
import { mentionsInText } from './mentions.ts';
import type { NamedMessage } from './message-ref.ts';
import type { ProgramGroups } from './program-groups.ts';
import {
  authorOf,
  conversationOf,
  type Destination,
  filesBody,
  newMessageId,
  sealHere,
  type TextExtras,
  textBody,
} from './sealing.ts';
import { type OnProblem, patiently, type Sent, send } from './sending.ts';
import type { DirectFilesOptions, DirectOptions } from './shapes.ts';

interface SenderParts {
  api: RelayApi;
  /** Calls that may use blobs. */
  files(): RelayApi;
  identity: Identity | null;
  bot: PrivateKey | null;
  isToken: boolean;
  journal: Journal;
  directory: KeyDirectory;
  groups: ProgramGroups;
  /** Announces changes of the identity's devices. */
  openGreetings(): void;
  /** Aborted when the client is closed. */
  closed: AbortSignal;
  /** Called for each failed attempt that will be repeated. */
  onProblem: OnProblem | undefined;
}

export class MessageSender {
  readonly #parts: SenderParts;
  /** Messages being sent, by id. */
  readonly #sending = new Map<string, Promise<unknown>>();
  #me: Promise<Me> | null = null;
  #known: string | null;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#known = parts.identity?.address ?? null;
  }

  /** The sender's address as far as it is known without a call. */
  get known(): string | null {
    return this.#known;
  }

  /** Sends a text. */
  async send(destination: Destination, text: string, options: DirectOptions): Promise<Sent> {
    const { messageId = newMessageId() } = options;
    // Positions refer to the text as sent.
    const checkedText = toMessageText(text);
    const { from, beside } = await this.#besideText(destination, checkedText, options);
    const body = textBody(messageId, from, destination, checkedText, Date.now(), beside);
    return this.sendBody(body, destination, flagsOf(options));
  }

  /** Sends files with a caption as one message. */
  async sendFiles(
    destination: Destination,
    files: readonly FileToSend[],
    options: DirectFilesOptions,
  ): Promise<Sent> {
    const { messageId = newMessageId() } = options;
    const caption = captionOf(options.caption);
    const { from, beside } = await this.#besideText(destination, caption, options);
    const attach = { api: this.#parts.files(), secret: this.#parts.journal.fileSecret.bytes };
    return this.#inTurn(messageId, async () => {
      const to = { id: messageId, to: conversationOf(destination) };
      const attached = await attachFiles(attach, to, files, options);
      const body = filesBody(messageId, from, destination, attached, caption, Date.now(), beside);
      return this.#sendNow(body, destination, flagsOf(options));
    });
  }

  /** The sender, and the fields beside a text or caption. */
  async #besideText(
    destination: Destination,
    checkedText: string,
    { replyTo, expires, mentions = {} }: DirectOptions,
  ): Promise<{ from: string; beside: TextExtras }> {
    if (expires !== undefined && !Timer.safeParse(expires).success) throw new Failure('timer_malformed');
    const answered = replyTo === undefined ? null : nameOf(replyTo);
    if (answered && conversationOf(answered.where) !== conversationOf(destination))
      throw new Failure('message_elsewhere');
    const from = await this.address();
    this.#parts.openGreetings();
    const seconds = expires ?? (await this.#timerOf(destination, answered));
    const beside = {
      ...(answered && { replyTo: answered.name }),
      ...mentionsField(checkedText, mentionsInText(checkedText, mentions)),
      ...(seconds > 0 && { expires: seconds }),
    };
    return { from, beside };
  }

  /** The known lifetime of messages sent there, in seconds; 0 for never. */
  #timerOf(destination: Destination, answered: NamedMessage | null): Promise<number> {
    if ('peer' in destination) return Promise.resolve(answered?.expires ?? 0);
    return this.#patiently(() => this.#parts.groups.timerOf(destination.groupId));
  }

  #patiently<T>(attempt: () => Promise<T>): Promise<T> {
    return patiently(attempt, this.#parts.closed, this.#parts.onProblem);
  }

  /** Sends a finished body. */
  sendBody(body: MessageBody, destination: Destination, flags: Flags): Promise<Sent> {
    return this.#inTurn(body.id, () => this.#sendNow(body, destination, flags));
  }

  async #sendNow(body: MessageBody, destination: Destination, flags: Flags): Promise<Sent> {
    const parts = {
      relay: this.#parts.api,
      directory: this.#parts.directory,
      author: {
        ...authorOf(body.sender, this.#parts.identity, 'groupId' in destination ? this.#parts.bot : null),
        isToken: this.#parts.isToken,
      },
      seal: sealHere,
      now: () => Date.now(),
      groups: this.#parts.groups.now,
      journal: this.#parts.journal,
      closed: this.#parts.closed,
      onProblem: this.#parts.onProblem,
    };
    return send(parts, body, destination, flags);
  }

  /** Serializes calls with the same id: the second continues with the first one's remainder. */
  #inTurn(messageId: string, work: () => Promise<Sent>): Promise<Sent> {
    const before = this.#sending.get(messageId) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(work);
    this.#sending.set(messageId, turn);
    const forget = () => {
      if (this.#sending.get(messageId) === turn) this.#sending.delete(messageId);
    };
    turn.then(forget, forget);
    return turn;
  }

  /** The sender's address according to the relay. */
  async address(): Promise<string> {
    this.#me ??= this.#patiently(() => this.#parts.api.me()).catch((error) => {
      this.#me = null;
      throw error;
    });
    const { address: from } = await this.#me;
    if (this.#parts.identity && this.#parts.identity.address !== from) {
      throw new IdentityError('identity_of_another', { owner: from, address: this.#parts.identity.address });
    }
    this.#known = from;
    return from;
  }
}

function flagsOf({ automated = true, asRequest = false }: DirectOptions): Flags {
  return { automated, asRequest };
}

/** @throws Failure caption_too_long */
function captionOf(given = ''): string {
  const caption = isBlank(given) ? '' : toMessageText(given);
  requireCaption(caption);
  return caption;
}
