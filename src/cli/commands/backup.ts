/** `waxwing backup`: checks of backups of the app. */
import type { Command } from 'commander';
import { addPassphraseOption, BACKUP_HELP, type BackupOptions, openBackup } from '../backup-access.ts';
import { columns, describeBytes } from '../output.ts';
import { oneLine, print, printJson, progress } from '../printing.ts';

interface Options extends BackupOptions {
  json?: true;
}

export function addBackupCommand(program: Command): void {
  const backup = program
    .command('backup')
    .description('check a backup of the app')
    .addHelpText('after', '\nExample:\n  $ waxwing backup verify Waxwing.waxwing-backup');
  addPassphraseOption(
    backup
      .command('verify')
      .description('read all of a backup, and verify that a restore can use it')
      .argument('<file>', 'a backup of the app, or a folder with backups'),
  )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing backup verify Waxwing.waxwing-backup
  $ waxwing backup verify /mnt/backups --passphrase-file ~/passphrase

${BACKUP_HELP}`,
    )
    .action(verify);
}

async function verify(path: string, { json, ...access }: Options): Promise<void> {
  await using history = await openBackup(path, access);
  let tenth = 0;
  await history.verify((share) => {
    const done = Math.floor(share * 10);
    if (done > tenth) progress(`${done * 10} %`);
    tenth = done;
  });
  const { facts, account } = history;
  const { address } = history.person(account.address);
  const result = { ...facts, at: new Date(facts.at).toISOString(), address, handle: account.handle };
  if (json) return printJson(result);
  await print(
    columns([['The backup is complete and undamaged.']]) +
      '\n' +
      columns([
        ['file', oneLine(facts.path)],
        ['made', new Date(facts.at).toLocaleString('sv')],
        ['account', account.handle === null ? address : `@${oneLine(account.handle)}`],
        ['messages', String(facts.messages)],
        ['files', `${facts.files}, ${describeBytes(facts.fileBytes)}`],
      ]),
  );
}
