/** Writes one chat of a backup into a folder, in the form of an export of the app (docs/export.md). */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BackupHistory } from '../archive/backup-history.ts';
import type { MessageRecord } from '../archive/history-records.ts';
import { type ChatPlaces, timelineOf } from '../archive/timelines.ts';
import { fileNameOf } from '../base/exported-file-name.ts';
import { failedWith } from '../base/failure.ts';
import { isDiskFull } from '../base/node/disk-full.ts';
import { reasonOf, renameDurably } from '../base/node/durable-file.ts';
import { makeFolder } from '../base/node/make-folder.ts';
import type { AttachedFile } from '../protocol/blob/file.ts';
import {
  type ExportedMessage,
  type Look,
  messageHtml,
  PAGE_MESSAGES,
  pageName,
  pageOf,
} from '../words/chat-html.ts';
import { commandError } from './command-error.ts';
import { ExportedChat } from './exported-message.ts';
import { note, oneLine } from './printing.ts';

export type Format = 'html' | 'json';

/** Numbers of what was exported. */
export interface Sums {
  messages: number;
  files: number;
}

interface ChatExport {
  history: BackupHistory;
  /** Wire address of the person, or id of the group. */
  id: string;
  title: string;
  places: ChatPlaces;
  look: Look;
  folder: string;
  /** Undefined for all. */
  format: Format | undefined;
}

const PRIVATE = 0o600;

/** Makes a folder unless it exists. @throws CommandError if something is in it */
export function emptyFolder(folder: string): Promise<void> {
  return saving(folder, async () => {
    makeFolder(folder);
    if ((await readdir(folder)).length > 0) throw commandError('usage', 'export_folder_taken', { folder });
  });
}

/** @throws CommandError; Failure of reading */
export function exportChat(chat: ChatExport, sums: Sums): Promise<void> {
  return saving(chat.folder, async () => {
    makeFolder(join(chat.folder, 'files'));
    const pages = chat.format === 'json' ? null : new Pages(chat);
    const write = async (records: FileHandle | null) => {
      await records?.writeFile(`${JSON.stringify(chat.history.account)}\n`);
      for await (const record of timelineOf(chat.history, chat.id, chat.places)) {
        await records?.writeFile(`${JSON.stringify(record)}\n`);
        sums.files += (await pages?.add(record)) ?? 0;
        sums.messages += record.event === null ? 1 : 0;
      }
      await pages?.end();
    };
    if (chat.format === 'html') await write(null);
    else await writeWhole(join(chat.folder, 'messages.jsonl'), write);
  });
}

/** Pages of HTML, and the files that they show. */
class Pages {
  readonly #chat: ChatExport;
  readonly #messages: ExportedChat;
  readonly #own: string;
  #page: string[] = [];
  #number = 0;
  #files = 0;

  constructor(chat: ChatExport) {
    this.#chat = chat;
    this.#messages = new ExportedChat(chat.history, chat.id);
    this.#own = chat.history.person(chat.history.account.address).address;
  }

  /** @returns number of files that were written */
  async add(record: MessageRecord): Promise<number> {
    if (this.#page.length === PAGE_MESSAGES) await this.#write(false);
    const { message, attached } = this.#messages.next(record);
    const paths: (string | null)[] = [];
    for (const [index, file] of attached.entries())
      paths.push(await this.#writeFile(file, message.files[index]));
    this.#page.push(messageHtml(this.#chat.look, message, this.#own, paths));
    return paths.filter((path) => path !== null).length;
  }

  async end(): Promise<void> {
    await this.#write(true);
  }

  async #write(isLast: boolean): Promise<void> {
    this.#number += 1;
    const { title, look, folder } = this.#chat;
    const html = pageOf(look, {
      title,
      body: this.#page.join('\n'),
      before: this.#number === 1 ? null : pageName(this.#number - 1),
      after: isLast ? null : pageName(this.#number + 1),
    });
    this.#page = [];
    await writeNew(join(folder, pageName(this.#number)), [html]);
  }

  /** @returns its path in the export; null for one that is not in the backup */
  async #writeFile(
    file: AttachedFile,
    shown: ExportedMessage['files'][number] | undefined,
  ): Promise<string | null> {
    const { history, folder } = this.#chat;
    if (!shown || !history.hasFile(file)) return null;
    this.#files += 1;
    const path = `files/${fileNameOf(this.#files, shown.name)}`;
    try {
      await writeNew(join(folder, path), history.file(file));
    } catch (error) {
      if (!failedWith(error, 'file_not_as_sent')) throw error;
      note(`Left out: ${oneLine(shown.name)}. ${error.message}`);
      return null;
    }
    return path;
  }
}

function writeNew(path: string, contents: Iterable<string> | AsyncIterable<Uint8Array>): Promise<void> {
  return writeWhole(path, async (handle) => {
    for await (const piece of contents) await handle.writeFile(piece);
  });
}

/** Writes a file that has its name only when it is complete. After an error nothing of it remains. */
async function writeWhole(path: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const unfinished = join(dirname(path), `.waxwing-${randomUUID()}`);
  const handle = await open(unfinished, 'wx', PRIVATE);
  try {
    try {
      await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameDurably(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** @throws CommandError for an error of the disk */
async function saving<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDiskFull(error)) throw commandError('failed', 'export_no_room', { folder });
    if (error instanceof Error && 'syscall' in error)
      throw commandError('failed', 'export_unsaved', { folder, reason: reasonOf(error) });
    throw error;
  }
}
