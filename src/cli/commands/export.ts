/** `waxwing export`: chats of a backup as web pages and records. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { BackupHistory, Chat } from '../../archive/backup-history.ts';
import { chatsOf } from '../../archive/search-backup.ts';
import { placesOfChats } from '../../archive/timelines.ts';
import { fileNameOf } from '../../base/exported-file-name.ts';
import { toSearchText } from '../../base/search-text.ts';
import { Look } from '../../words/chat-html.ts';
import { english } from '../../words/english/index.ts';
import { wordsOf } from '../../words/format.ts';
import { addPassphraseOption, BACKUP_HELP, type BackupOptions, openBackup } from '../backup-access.ts';
import { commandError } from '../command-error.ts';
import { emptyFolder, exportChat, type Format, type Sums } from '../export-chat.ts';
import { oneLine, print, printJson, progress } from '../printing.ts';

interface Options extends BackupOptions {
  backup: string;
  chat?: string;
  format?: Format;
  json?: true;
}

const MAX_NAMED = 10;

export function addExportCommand(program: Command): void {
  addPassphraseOption(
    program
      .command('export')
      .description('save the chats of a backup as web pages and JSON')
      .argument('<folder>', 'a new or empty folder')
      .requiredOption('--backup <file>', 'a backup of the app, or a folder with backups')
      .option('--chat <name>', 'only this chat: a part of its name, an address, or the id of a group')
      .addOption(
        new Option('--format <format>', 'only web pages with their files, or only records').choices([
          'html',
          'json',
        ]),
      ),
  )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing export --backup Waxwing.waxwing-backup --chat ann ./ann
  $ waxwing export --backup /mnt/backups --passphrase-file ~/passphrase ./all-chats
  $ waxwing export --backup /mnt/backups --format json ./records < passphrase

The export is not encrypted. It has the form of 'Export chat…' in the app (docs/export.md): messages.html and further
pages, the pictures and files of the chat in files, and messages.jsonl with a record in each line. Without --chat each
chat has a folder of its own. Disappearing messages are left out.

${BACKUP_HELP}`,
    )
    .action(exportChats);
}

async function exportChats(
  folder: string,
  { backup, chat: name, format, json, ...access }: Options,
): Promise<void> {
  await emptyFolder(folder);
  await using history = await openBackup(backup, access);
  const chats = name === undefined ? history.chats() : [chatNamed(history, name)];
  const look = new Look(wordsOf(english, 'en'), 'en');
  const places = await placesOfChats(history, new Set(chats.map(({ id }) => id)));
  const sums: Sums = { messages: 0, files: 0 };
  let number = 0;
  for (const chat of chats) {
    const found = places.get(chat.id) ?? { blocks: [], late: [] };
    const title = chat.isSelf ? look.words.text('chats.noteToSelf') : chat.title;
    if (name === undefined && found.blocks.length === 0) continue;
    number += 1;
    const target = name === undefined ? join(folder, fileNameOf(number, folderName(title))) : folder;
    progress(`${number}: ${oneLine(title)}`);
    await exportChat({ history, id: chat.id, title, places: found, look, folder: target, format }, sums);
  }
  const result = { folder, chats: number, ...sums };
  if (json) return printJson(result);
  const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;
  const parts = [counted(number, 'chat'), counted(sums.messages, 'message'), counted(sums.files, 'file')];
  await print(`Exported to ${oneLine(folder)}: ${parts.join(', ')}.`);
}

/** @throws CommandError for no chat, or for several */
function chatNamed(history: BackupHistory, name: string): Chat {
  const wanted = toSearchText(name.replace(/^@/, ''));
  const ids = chatsOf(history, [wanted]);
  const whole = history.chats().filter(({ id, kind, title }) => {
    const handle = kind === 'direct' ? history.person(id).handle : null;
    return (
      id === name || id === wanted || [title, handle ?? ''].some((each) => toSearchText(each) === wanted)
    );
  });
  const found = whole.length > 0 ? whole : ids.map((id) => history.chat(id));
  const [chat] = found;
  if (!chat) throw commandError('not_found', 'chat', { name });
  if (found.length === 1) return chat;
  const named = found.slice(0, MAX_NAMED).map(({ id, title }) => `${oneLine(title)} (${id})`);
  const chats = [...named, ...(found.length > MAX_NAMED ? ['…'] : [])].join(', ');
  throw commandError('usage', 'export_chat_unclear', { name, chats });
}

/** Valid on all systems. */
function folderName(title: string): string {
  return title.replace(/[\p{C}\p{Z}\\/:*?"<>|.]+/gu, ' ').trim();
}
