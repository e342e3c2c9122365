/** A message of a backup as a page shows it. */
import { type BackupHistory, timeOf } from '../archive/backup-history.ts';
import type { MessageRecord } from '../archive/history-records.ts';
import { contents } from '../messaging/contents/all-kinds.ts';
import { type Mention, Ref } from '../messaging/contents/fields.ts';
import { fileTypeOf } from '../messaging/contents/file-types.ts';
import { drawnEmoji } from '../messaging/contents/kinds/reaction.ts';
import { mentionsIn } from '../messaging/contents/mentions.ts';
import { judgeRef } from '../messaging/contents/refs.ts';
import { bodyNow, claimedFiles, kindOf, textOf } from '../messaging/contents/shown.ts';
import type { AttachedFile } from '../protocol/blob/file.ts';
import { toFileName } from '../protocol/blob/file-name.ts';
import { decodeTime } from '../protocol/encoding.ts';
import { onOneLine, toLabel } from '../protocol/label.ts';
import { isWireAddress } from '../protocol/wire-address.ts';
import type { ExportedMessage } from '../words/chat-html.ts';

/** Number of newest messages that replies may quote. */
const MAX_QUOTED = 10_000;
const LONGEST_QUOTE = 2_000;
const MAX_REACTIONS = 20;

type Quote = Pick<ExportedMessage, 'author' | 'bot' | 'kind' | 'fields' | 'text'> & { digest: string | null };

/** Messages of one chat, oldest first. */
export class ExportedChat {
  readonly #history: BackupHistory;
  readonly #channel: 'direct' | 'group';
  readonly #quotes = new Map<string, Quote>();

  /** @param id wire address of the person, or id of the group */
  constructor(history: BackupHistory, id: string) {
    this.#history = history;
    this.#channel = isWireAddress(id) ? 'direct' : 'group';
  }

  /** The message for a page, and its files as they were attached. */
  next(record: MessageRecord): { message: ExportedMessage; attached: readonly AttachedFile[] } {
    const { event, deletedBy, edits, sender } = record;
    const newest = edits.at(-1) ?? null;
    const body = bodyNow(record.body as { kind: string; mentions?: unknown; forwarded?: unknown }, newest);
    const judged = event || deletedBy !== null ? null : contents.judge(this.#channel, body);
    const text = judged ? textOf(judged) : '';
    const attached = claimedFiles(judged, body);
    const isShown = judged?.as === 'message';
    const message: ExportedMessage = {
      ...(judged ? kindOf(judged) : { kind: event ? 'event' : 'deleted', fields: {} }),
      author: this.#person(sender),
      sender: this.#person(sender).address,
      event: event && {
        type: event.type,
        who: this.#person(event.address),
        by: event.by === undefined ? null : this.#person(event.by),
        seconds: event.seconds ?? null,
        before: event.before ?? null,
      },
      text,
      at: timeOf(record),
      state: record.state === 'unsent' ? 'failed' : record.state,
      trust: record.trust,
      bot: botOf(record),
      mentions: isShown ? this.#mentions(text, body) : [],
      files: attached.map((file) => ({
        name: toFileName(file.name),
        type: fileTypeOf(file),
        alt: file.alt === undefined ? null : onOneLine(file.alt) || null,
      })),
      replyTo: this.#quoted(record),
      reactions: reactionsOf(record),
      editedAt: newest && decodeTime(newest.version.sentAt),
      forwarded: deletedBy === null && body.forwarded === true,
    };
    if (judged) this.#remember(record, message);
    return { message, attached };
  }

  #person(address: string): ExportedMessage['author'] {
    return { ...this.#history.person(address), picture: null };
  }

  #mentions(text: string, { mentions }: { mentions?: unknown }): ExportedMessage['mentions'] {
    const found = mentionsIn(text, (mentions as readonly Mention[] | undefined) ?? []);
    return found.map(({ from, to, address }) => ({ from, to, person: this.#person(address) }));
  }

  #quoted({ body, event, deletedBy }: MessageRecord): ExportedMessage['replyTo'] {
    const ref = event || deletedBy !== null ? null : (Ref.safeParse(body.replyTo).data ?? null);
    const found = ref && this.#quotes.get(`${ref.sender}/${ref.id}`);
    if (!ref || !found) return null;
    const { author, bot, kind, fields, text, digest } = found;
    if (judgeRef(ref, digest === null ? null : { ...ref, digest }) !== 'target') return null;
    return { author, bot: bot?.name ?? null, summary: { kind, fields, text } };
  }

  #remember(
    { sender, id, digest }: MessageRecord,
    { author, bot, kind, fields, text }: ExportedMessage,
  ): void {
    this.#quotes.set(`${sender}/${id}`, {
      author,
      bot,
      kind,
      fields,
      digest,
      text: text.slice(0, LONGEST_QUOTE),
    });
    const [oldest] = this.#quotes.size > MAX_QUOTED ? this.#quotes.keys() : [];
    if (oldest !== undefined) this.#quotes.delete(oldest);
  }
}

/** Its name is its owner's choice, possibly empty. */
function botOf({ bot, trust }: MessageRecord): ExportedMessage['bot'] {
  if (!bot) return trust === 'token' ? { key: '', name: '' } : null;
  const key = 'key' in bot ? bot.key : '';
  return { key, name: toLabel(bot.name) || key };
}

function reactionsOf({ reactions, deletedBy }: MessageRecord): ExportedMessage['reactions'] {
  const people = new Map<string, Set<string>>();
  for (const { address, emoji } of deletedBy === null ? reactions : []) {
    for (const drawn of emoji.map(drawnEmoji).filter((each) => each !== ''))
      people.set(drawn, (people.get(drawn) ?? new Set()).add(address));
  }
  return [...people]
    .map(([emoji, { size }]) => ({ emoji, count: size }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, MAX_REACTIONS);
}
