/** `waxwing relay migrate`: moves a relay from its file to PostgreSQL. */
import { dirname, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { MovedFiles } from '../../relay/move/files.ts';
import type { Move, MoveOptions, MoveProgress } from '../../relay/move/move.ts';
import { operatorFailureFrom } from '../../relay/operator/failure.ts';
import { withVariable } from '../arguments.ts';
import { describeBytes, show } from '../output.ts';
import { note } from '../printing.ts';

interface MigrateOptions {
  from: string;
  to?: string;
  blobs?: string;
  json?: true;
}

/** Pause between two lines about one table, in milliseconds. */
const PROGRESS_PAUSE = 2_000;

export function addMigrateCommand(relay: Command): void {
  const migrate: Command = relay
    .command('migrate')
    .description('move a relay from its file to PostgreSQL, or continue the move')
    .requiredOption(
      '--from <file>',
      'the file relay.db in the data folder; no relay may be running on it',
      (file) => resolve(file),
    )
    .addOption(
      withVariable(new Option('--to <url>', 'the empty PostgreSQL database'), 'WAXWING_DATABASE_URL'),
    )
    .option('--blobs <folder>', 'the folder of files, if not blobs beside the file', (folder) =>
      resolve(folder),
    )
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
Example:
  $ WAXWING_DATABASE_URL=postgres://waxwing:password@db.example/waxwing \\
      waxwing relay migrate --from /var/lib/waxwing/relay.db

All rows are copied, and then read again and compared. After a kill, the next start continues.
The file stays unchanged. docs/operations.md has the other steps of a move.`,
    );
  migrate.action((options: MigrateOptions) => {
    if (options.to === undefined) migrate.error("error: required option '--to <url>' not specified");
    return runMigrate(options, options.to);
  });
}

async function runMigrate(options: MigrateOptions, to: string): Promise<void> {
  const { from, blobs = join(dirname(from), 'blobs') } = options;
  // Loaded only here: most relays do not use PostgreSQL.
  const { moveDatabase } = await import('../../relay/move/move.ts');
  const callbacks: Pick<MoveOptions, 'onBegin' | 'onProgress'> = options.json
    ? {}
    : { onBegin: noteBeginning, onProgress: progressPrinter() };
  const move = await moveDatabase({ from, to, blobs, now: Date.now(), ...callbacks });
  show(options, { ...move, begun: undefined, ...begunAsJson(move) }, () => describeMove(move, from));
}

function begunAsJson({ begun }: Move): object {
  return typeof begun === 'number'
    ? { movedBefore: new Date(begun).toISOString() }
    : { movedBefore: null, began: begun };
}

function noteBeginning(begun: Move['begun']): void {
  if (begun === 'resumed') note('The database already has a part of this file. Continuing.');
  if (begun === 'restarted') {
    note('The database has a part of another file, or of an older version of this file. Starting again.');
  }
}

/** Prints each finished table, and progress from time to time. */
function progressPrinter(): (progress: MoveProgress) => void {
  let last = 0;
  return ({ step, table, rows, of }) => {
    const now = Date.now();
    if (rows < of && now - last < PROGRESS_PAUSE) return;
    last = now;
    note(`${step === 'copy' ? 'Copied' : 'Compared'} ${table}: ${rows} of ${of}`);
  };
}

function describeMove({ begun, tables, audit, files }: Move, from: string): string {
  if (typeof begun === 'number') {
    return `This file was moved to this database on ${new Date(begun).toISOString()}. Nothing was changed.`;
  }
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `Moved ${rows} rows of ${tables.length} tables. Each is in PostgreSQL as it is in the file.`,
    ...(audit?.problem
      ? [`In the file and so in the copy: ${operatorFailureFrom(audit.problem).message}`]
      : []),
    ...(audit && !audit.problem
      ? [
          `The audit log is whole: ${audit.rows} entries${audit.head ? `, the last with the hash ${audit.head}` : ''}.`,
        ]
      : []),
    ...(files ? describeFiles(files, from) : []),
    `Now start the relay with --database, or with WAXWING_DATABASE_URL. ${from} is unchanged, and no relay starts on it again.`,
  ].join('\n');
}

function describeFiles(
  { count, bytes, inBucket, folder, missing, broken }: MovedFiles,
  from: string,
): string[] {
  const inFolder = count - inBucket - broken;
  const lines = [];
  if (inBucket > 0)
    lines.push(`Files in a bucket: ${inBucket}. They stay there: give the relay the same --blobs.`);
  if (inFolder > 0 && folder === null) {
    const usual = join(dirname(from), 'blobs');
    lines.push(`Files: ${inFolder}. They were not found, there is no folder ${usual}. Name it with --blobs.`);
  } else if (inFolder > 0) {
    lines.push(
      `Files: ${inFolder}, ${describeBytes(bytes)}, in ${folder}. They stay there. A relay with another data folder needs this folder, too: copy it, and name it with --blobs.`,
    );
    if (missing > 0) lines.push(`Files of these that are not there, or not whole: ${missing}.`);
  }
  if (broken > 0) lines.push(`Files of which the database does not know all parts: ${broken}.`);
  return lines;
}
