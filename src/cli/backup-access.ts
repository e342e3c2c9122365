/** Access of commands to a backup of the app, by its passphrase or the recovery phrase. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { BackupHistory } from '../archive/backup-history.ts';
import { requireBackup } from '../archive/open-newest.ts';
import { findSecretProblem, walletFromSecret } from '../base/wallet-secret.ts';
import { commandError } from './command-error.ts';
import { note } from './printing.ts';
import { readSecretFile, readStandardInput } from './secrets.ts';

export interface BackupOptions {
  passphraseFile?: string;
}

export const BACKUP_HELP = `The backup is a file of the app, or a folder with automatic backups: then it is the newest one that can be opened. The
passphrase of the backup, or the recovery phrase, is asked for on a terminal, or read from standard input.`;

export function addPassphraseOption(command: Command): Command {
  return command.option(
    '--passphrase-file <file>',
    'read the passphrase or recovery phrase from this file; - for standard input',
  );
}

/** @throws CommandError; Failure backup_secret_wrong and those of reading */
export async function openBackup(path: string, { passphraseFile }: BackupOptions): Promise<BackupHistory> {
  await requireBackup(path);
  const secret = await readSecret(passphraseFile);
  if (secret === '') throw commandError('usage', 'backup_secret_missing');
  const isWallet = findSecretProblem(secret) === null;
  const walletKey = isWallet ? walletFromSecret(secret).wallet.privateKey : null;
  const history = await BackupHistory.open(path, { passphrase: secret, walletKey });
  if (history.skipped > 0) note(`Backups that are newer and cannot be opened: ${history.skipped}`);
  return history;
}

async function readSecret(file: string | undefined): Promise<string> {
  if (file !== undefined && file !== '-') return readSecretFile(file, 'The passphrase');
  return file === undefined && process.stdin.isTTY ? askForSecret() : readStandardInput('The passphrase');
}

/** Asks on the terminal, without showing the input. Empty without an answer. */
async function askForSecret(): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Before the question: from then on the terminal shows nothing.
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  terminal.once('SIGINT', () => {
    terminal.close();
    process.kill(process.pid, 'SIGINT');
  });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  process.stderr.write('Passphrase of the backup, or recovery phrase: ');
  try {
    const answered = terminal.question('');
    answered.catch(() => undefined);
    return await Promise.race([answered, closed]);
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
