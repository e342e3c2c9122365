/** Search in the messages of a backup: the same words and filters as in the app, newest first. */
import { isEmptyQuery, isNamed, type Query } from '../base/search-query.ts';
import type { Searchable } from '../base/searchable.ts';
import { searchableIn } from '../messaging/contents/searchable.ts';
import { type BackupHistory, type RawMessage, timeOf, validMessage } from './backup-history.ts';
import type { MessageRecord } from './history-records.ts';

export interface BackupHit {
  message: MessageRecord;
  content: Searchable;
  /** Time of the message, in milliseconds since 1970. */
  at: number;
}

/**
 * @param now milliseconds since 1970: messages whose time is over are left out
 * @throws Failure backup_damaged, backup_unreadable
 */
export async function* searchBackup(
  history: BackupHistory,
  query: Query,
  now: number,
): AsyncGenerator<BackupHit> {
  if (isEmptyQuery(query)) return;
  const isWanted = conditionsOf(history, query);
  for (let block = history.blocks - 1; block >= 0; block--) {
    const messages = await history.messages(block);
    for (const raw of messages.reverse()) {
      const content = isWanted(raw);
      const message = content && validMessage(raw);
      if (!content || !message || (message.lifetime && message.lifetime.endsAt <= now)) continue;
      const at = timeOf(message);
      if (at >= (query.after ?? at) && at < (query.before ?? Number.POSITIVE_INFINITY))
        yield { message, content, at };
    }
  }
}

/** Conditions of words, people, chats and contents. Returns the searched parts of a message that meets them. */
function conditionsOf(history: BackupHistory, query: Query): (raw: RawMessage) => Searchable | null {
  const senders = query.from.length === 0 ? null : new Set(sendersOf(history, query.from));
  const named = query.in.length === 0 ? null : new Set(chatsOf(history, query.in));
  const blocked = new Set(history.chats().flatMap(({ id, isBlocked }) => (isBlocked ? [id] : [])));
  return ({ conversation, sender, event, deletedBy, body, edits }) => {
    if (event !== null || deletedBy !== null || typeof body !== 'object' || body === null) return null;
    if (blocked.has(String(conversation)) || (named && !named.has(String(conversation)))) return null;
    if (senders && !senders.has(String(sender))) return null;
    const newest = Array.isArray(edits) ? (edits.at(-1) as { text?: unknown } | undefined) : undefined;
    const content = searchableIn(body as Record<string, unknown>, newest?.text ?? null);
    if (!content || !query.has.every((each) => content.has.includes(each))) return null;
    return content.compare(query.terms).isMatch ? content : null;
  };
}

function sendersOf(history: BackupHistory, wanted: readonly string[]): string[] {
  const own = history.account.address;
  const parts = wanted.filter((part) => part !== 'me');
  return history.people().filter((address) => {
    const { displayName, handle, nickname } = history.person(address);
    const isMe = address === own && parts.length < wanted.length;
    return isMe || isNamed(parts, address, [displayName, handle, nickname]);
  });
}

/** Ids of the chats whose names have one of these parts. */
export function chatsOf(history: BackupHistory, wanted: readonly string[]): string[] {
  const found = history.chats().filter(({ id, kind, title }) => {
    if (kind === 'group') return isNamed(wanted, null, [title]);
    const { displayName, handle, nickname } = history.person(id);
    return isNamed(wanted, id, [displayName, handle, nickname]);
  });
  return found.map(({ id }) => id);
}
