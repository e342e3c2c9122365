/** `waxwing search`: search in the messages of a backup. */
import type { Command } from 'commander';
import type { BackupHistory } from '../../archive/backup-history.ts';
import { type BackupHit, searchBackup } from '../../archive/search-backup.ts';
import { personName } from '../../base/person-name.ts';
import { isEmptyQuery, parseQuery } from '../../base/search-query.ts';
import { snippetOf } from '../../base/snippet.ts';
import { parseCount } from '../arguments.ts';
import { addPassphraseOption, BACKUP_HELP, type BackupOptions, openBackup } from '../backup-access.ts';
import { commandError } from '../command-error.ts';
import { note, oneLine, print, printJson } from '../printing.ts';

interface Options extends BackupOptions {
  backup: string;
  limit: number;
  json?: true;
}

const MAX_TYPED = 500;

export function addSearchCommand(program: Command): void {
  addPassphraseOption(
    program
      .command('search')
      .description('search the messages of a backup')
      .argument('<words...>', 'words, which all have to occur, and filters')
      .requiredOption('--backup <file>', 'a backup of the app, or a folder with backups')
      .option('--limit <number>', 'the most messages, the newest first', parseCount, 100),
  )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing search --backup Waxwing.waxwing-backup train to Munich
  $ waxwing search --backup /mnt/backups --passphrase-file ~/passphrase from:ann has:file
  $ waxwing search --backup /mnt/backups in:builds '"is red"' after:2026-01-31 --json < passphrase | jq -r .text

Words and filters are those of the app: any part of a text is found, in any script, without letter case and accents;
"exact words"; from: and in: with a part of a name, from:me; has:link, has:file and has:picture; before: and after: with
a day. Chats with blocked people are left out. So are messages that have disappeared since the backup.

${BACKUP_HELP}`,
    )
    .action(search);
}

async function search(words: string[], { backup, limit, json, ...access }: Options): Promise<void> {
  const query = parseQuery(words.join(' ').slice(0, MAX_TYPED));
  if (isEmptyQuery(query)) throw commandError('usage', 'search_empty');
  await using history = await openBackup(backup, access);
  let count = 0;
  for await (const hit of searchBackup(history, query, Date.now())) {
    await (json ? printJson(toJson(history, hit)) : print(toLines(history, hit, query.terms)));
    count += 1;
    if (count === limit) break;
  }
  if (!json && count === 0) note('No messages found.');
}

function toLines(
  history: BackupHistory,
  { message, content, at }: BackupHit,
  terms: readonly string[],
): string {
  const chat = history.chat(message.conversation);
  const head = [
    new Date(at).toLocaleString('sv'),
    authorIn(history, message),
    `in ${oneLine(chat.title)}`,
  ].join('  ');
  // A text never starts a line: it cannot imitate another message.
  return `${head}\n    ${oneLine(snippetOf(content, terms).text)}`;
}

function authorIn(history: BackupHistory, { bot, sender }: BackupHit['message']): string {
  const person = oneLine(personName(history.person(sender)));
  return bot ? `${oneLine(bot.name)}, a bot of ${person}` : person;
}

function toJson(history: BackupHistory, { message, content, at }: BackupHit) {
  const { address, handle, displayName, nickname } = history.person(message.sender);
  const { id, kind, title } = history.chat(message.conversation);
  return {
    id: message.id,
    at: new Date(at).toISOString(),
    from: { address, handle, displayName, nickname },
    bot: message.bot?.name ?? null,
    chat: { id, kind, title },
    text: content.text,
    files: content.names,
    has: content.has,
  };
}
