/** A chat as a ZIP archive: pages of HTML, its files, and the records for programs (docs/export.md). */
import { makeZip } from 'client-zip';
import { fileNameOf } from '../../../base/exported-file-name.ts';
import type { FilePlace } from '../../../bridge/files.ts';
import type { Conversation } from '../../../bridge/shapes/conversation.ts';
import type { Message } from '../../../bridge/shapes/message.ts';
import { Look, messageHtml, PAGE_MESSAGES, pageName, pageOf } from '../../../words/chat-html.ts';
import { callBridge } from '../../bridge.ts';
import { BridgeFailure } from '../../bridge-failure.ts';
import { language } from '../../locale.ts';
import { conversationName } from '../../shared/conversation.ts';
import { words } from '../../words.tsx';

/** Messages of one call. */
const CALL_MESSAGES = 200;
/** Before each message: numbers of imported messages are negative. */
const START = String(Number.MIN_SAFE_INTEGER);

interface ChatExport {
  conversation: Conversation;
  /** Address of the person. */
  own: string | undefined;
  hasFiles: boolean;
  /** Ends the export. */
  signal: AbortSignal;
  /** Receives the number of messages so far. */
  onProgress: (messages: number) => void;
}

/**
 * Reads a chat, page by page, as the archive is read.
 * @throws Failure of a call, and the reason of the signal, as errors of the stream
 */
export function exportChat(chat: ChatExport): ReadableStream<Uint8Array> {
  return makeZip(entriesOf(chat));
}

/** Name of the archive, valid on all systems. */
export function archiveName(conversation: Conversation): string {
  const name = conversationName(conversation)
    .replace(/[\p{C}\p{Z}\\/:*?"<>|.]+/gu, ' ')
    .trim();
  return `Waxwing ${[...name].slice(0, 60).join('')}.zip`;
}

async function* entriesOf(chat: ChatExport) {
  const { conversation, own, signal } = chat;
  const title = conversationName(conversation);
  const look = new Look(words, language);
  let [number, fileCount] = [0, 0];
  for await (const { messages, isLast } of pagesOf(chat)) {
    number += 1;
    const paths = new Map<Message, (string | null)[]>();
    const files: { path: string; place: FilePlace }[] = [];
    for (const message of messages) {
      const ofMessage = message.files.map(({ name, state }, index) => {
        if (!chat.hasFiles || state !== 'here') return null;
        fileCount += 1;
        const path = `files/${fileNameOf(fileCount, name)}`;
        files.push({ path, place: { messageId: message.id, index } });
        return path;
      });
      paths.set(message, ofMessage);
    }
    const body = messages
      .map((message) => messageHtml(look, message, own, paths.get(message) ?? []))
      .join('\n');
    yield {
      name: pageName(number),
      input: pageOf(look, {
        ...{ title, body },
        before: number === 1 ? null : pageName(number - 1),
        after: isLast ? null : pageName(number + 1),
      }),
    };
    for (const { path, place } of files) {
      const input = await bytesOf(place, signal);
      if (input) yield { name: path, input };
    }
  }
  yield { name: 'messages.jsonl', input: recordsOf(chat) };
}

/** The bytes of a file; null if it was deleted or cleared meanwhile. */
async function bytesOf(place: FilePlace, signal: AbortSignal): Promise<Response | null> {
  signal.throwIfAborted();
  try {
    const { path } = await callBridge('files.open', place);
    const response = await fetch(path, { signal });
    return response.ok ? response : null;
  } catch (error) {
    if (error instanceof BridgeFailure && error.code === 'file_missing') return null;
    throw error;
  }
}

/** Messages of a chat, oldest first, without those that disappear. Yields at least one page. */
async function* pagesOf({ conversation, signal, onProgress }: ChatExport) {
  let [messages, count]: [Message[], number] = [[], 0];
  let [after, hasNewer] = [START, true];
  while (hasNewer) {
    signal.throwIfAborted();
    const page = await callBridge('messages.list', {
      conversationId: conversation.id,
      after,
      limit: CALL_MESSAGES,
    });
    const last = page.messages.at(-1);
    hasNewer = page.hasNewer && last !== undefined;
    after = last?.id ?? after;
    const lasting = page.messages.filter(({ disappears }) => disappears === null);
    messages.push(...lasting);
    count += lasting.length;
    onProgress(count);
    if (messages.length < PAGE_MESSAGES && hasNewer) continue;
    yield { messages, isLast: !hasNewer };
    messages = [];
  }
}

/** Records, one in each line. */
async function* recordsOf({ conversation, signal }: ChatExport): AsyncGenerator<string> {
  let after: Awaited<ReturnType<typeof callBridge<'messages.records'>>>['next'] = null;
  do {
    signal.throwIfAborted();
    const page: Awaited<ReturnType<typeof callBridge<'messages.records'>>> = await callBridge(
      'messages.records',
      {
        conversationId: conversation.id,
        after,
      },
    );
    for (const record of page.records) yield `${JSON.stringify(record)}\n`;
    after = page.next;
  } while (after !== null);
}
