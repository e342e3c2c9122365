/** `waxwing relay`: the relay alone. */
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { Logger } from 'pino';
import { describe } from '../../base/error-facts.ts';
import { log, stopwatch } from '../../base/log.ts';
import { makeFolder } from '../../base/node/make-folder.ts';
import { lockDataFolder } from '../../host/data-folder.ts';
import { Registration } from '../../protocol/schemas/accounts.ts';
import type { BlobPlace } from '../../relay/blobs/place.ts';
import { startRelay } from '../../relay/index.ts';
import { OperatorFailure } from '../../relay/operator/failure.ts';
import { ResourceStack } from '../../relay/resource-stack.ts';
import type { RelayLimits } from '../../relay/settings/limits.ts';
import { DATABASE_REPLACED } from '../../relay/store/sqlite/open-files.ts';
import {
  addHost,
  addTrustedProxy,
  parseBlobPlace,
  parseDrain,
  parseName,
  parsePort,
  parsePublicUrl,
  readLimits,
  type StopSignal,
  withVariable,
} from '../arguments.ts';
import { commandError } from '../command-error.ts';
import { isVerbose, redirectLog } from '../command-log.ts';
import { LOG_FORMS, type LogForm, noteLine, openRelayLog } from '../log.ts';
import { note } from '../printing.ts';
import { followSignals, lastLineAfter } from '../relay-life.ts';
import { addAdminCommands } from './relay-admin.ts';
import { addMigrateCommand } from './relay-migrate.ts';

interface RelayOptions {
  port: number;
  data?: string;
  database?: string;
  host: string;
  publicUrl?: string;
  insecureHttp?: true;
  trustedProxy?: string[];
  acceptHost?: string[];
  name: string;
  registration?: Registration;
  drain: number;
  memberInvitations?: true;
  metricsPort?: number;
  metricsHost: string;
  log?: LogForm;
  logFile?: string;
  limits?: RelayLimits;
  blobs?: BlobPlace;
}

export function addRelayCommand(program: Command): void {
  const relay: Command = program
    .command('relay')
    .description('run a relay alone, for a team or the public')
    .option('--data <folder>', 'the folder of the relay’s database; required')
    .addOption(
      withVariable(
        new Option('--database <url>', 'store data in PostgreSQL instead of a file'),
        'WAXWING_DATABASE_URL',
      ),
    )
    .option('--port <number>', 'listen on this port; 0 for any free one', parsePort, 8787)
    .option('--host <address>', 'listen on this address', '127.0.0.1')
    .option(
      '--public-url <url>',
      'the URL for clients if it differs from host and port, as behind a proxy',
      parsePublicUrl,
    )
    .option('--insecure-http', 'allow an http public URL: credentials then travel unprotected')
    .option(
      '--trusted-proxy <address>',
      'trust X-Forwarded-For from this address or range; repeatable',
      addTrustedProxy,
    )
    .option('--accept-host <host>', 'accept this Host, too, such as that of a probe; repeatable', addHost)
    .option(
      '--drain <seconds>',
      'after SIGTERM report “not ready” and still answer calls for this time, for load balancers',
      parseDrain,
      0,
    )
    .option('--name <text>', 'the name shown to people', parseName, 'Waxwing relay')
    .addOption(
      new Option(
        '--registration <policy>',
        'rule for new accounts: everyone, people with an invitation code, or listed addresses',
      )
        .choices(Registration.options)
        .default(undefined, 'open where only this computer reaches the relay, else code'),
    )
    .option('--member-invitations', 'allow members to make invitation codes, too')
    .option('--metrics-port <number>', 'serve Prometheus metrics on this port', parsePort)
    .option('--metrics-host <address>', 'serve them on this address', '127.0.0.1')
    .addOption(
      new Option(
        '--log <form>',
        'format on standard error: lines of JSON, short lines for a person, or nothing; with json, all other output is JSON, too',
      )
        .choices(LOG_FORMS)
        .default(undefined, 'pretty on a terminal, json elsewhere'),
    )
    .option('--log-file <file>', 'write the log into this file; SIGHUP reopens it after rotation', (file) =>
      resolve(file),
    )
    .option(
      '--blobs <place>',
      'the place of files: a folder, or a bucket as s3://bucket/prefix?endpoint=URL&region=NAME; default: blobs in the data folder',
      parseBlobPlace,
    )
    .option('--limits <file>', 'limits that differ from the defaults, as JSON', readLimits)
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing relay --port 8787 --data ./relay
  $ waxwing relay --data /var/lib/waxwing --public-url https://relay.example \\
      --trusted-proxy 127.0.0.1 --metrics-port 9464
  $ waxwing relay admin invite --data /var/lib/waxwing
  $ waxwing relay admin stats --data /var/lib/waxwing

Clients sign in to the host of the public URL and to no other. Put a proxy with TLS in front of it:
docs/operations.md shows how.`,
    );
  relay.action((options: RelayOptions) => {
    if (options.data === undefined) relay.error("error: required option '--data <folder>' not specified");
    return runRelay(options, options.data);
  });
  addAdminCommands(relay);
  addMigrateCommand(relay);
}

/** Open if only this computer can reach the relay: a person who tries it needs no code. */
function usualRegistration({ host, publicUrl, acceptHost, trustedProxy }: RelayOptions): Registration {
  const isLocal = host === 'localhost' || host === '::1' || host.startsWith('127.');
  const isShared = publicUrl !== undefined || acceptHost !== undefined || trustedProxy !== undefined;
  return isLocal && !isShared ? 'open' : 'code';
}

/** Notes for the operator at the start. */
const REGISTRATION_NOTES: Readonly<Record<Registration, (folder: string) => string[]>> = {
  open: () => ['Registration is open: everyone who reaches this relay can open an account.'],
  code: (folder) => [
    'Registration is by invitation: a new account needs a code.',
    `Make one with: waxwing relay admin invite --data ${folder}`,
    'To admit everyone, start the relay with --registration open.',
  ],
  list: (folder) => [
    'Registration is by list: a new account needs an address that you have named.',
    `Name one with: waxwing relay admin admit ADDRESS --data ${folder}`,
  ],
};

async function runRelay(options: RelayOptions, data: string): Promise<void> {
  const form = options.log ?? (process.stderr.isTTY && options.logFile === undefined ? 'pretty' : 'json');
  const { logger, reopen } = openRelayLog(form, isVerbose(), options.logFile ?? null);
  // Records of the command itself, in the operator's log format.
  redirectLog(({ level, event, ...facts }) => logger?.[level](facts, event));
  const stopped = followSignals(reopen);
  await lastLineAfter((started) => serve(options, resolve(data), { logger, started, stopped }));
}

/** @throws OperatorFailure blobs_folder_unusable */
function makeBlobFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new OperatorFailure('blobs_folder_unusable', { folder, reason: describe(error).code });
  }
}

interface Life {
  logger: Logger | null;
  started: () => void;
  /** Waits for the signal to stop. */
  stopped: () => Promise<StopSignal>;
}

async function serve(
  options: RelayOptions,
  folder: string,
  { logger, started, stopped }: Life,
): Promise<StopSignal> {
  await using resources = new ResourceStack();
  resources.defer(lockDataFolder(folder, ({ message }) => note(noteLine(options.log, message))));
  const show = (text: string) => console.log(noteLine(options.log, text));
  const broken = Promise.withResolvers<string>();
  const { publicUrl, metricsPort, limits, trustedProxy, acceptHost } = options;
  if (options.port !== 0 && metricsPort === options.port && options.metricsHost === options.host)
    throw commandError('usage', 'metrics_port_taken', { port: metricsPort });
  if (options.blobs && 'folder' in options.blobs) makeBlobFolder(options.blobs.folder);
  const registration = options.registration ?? usualRegistration(options);
  const ms = stopwatch();
  const relay = await startRelay({
    dataDirectory: folder,
    ...(options.database !== undefined && { database: options.database }),
    host: options.host,
    port: options.port,
    name: options.name,
    registration,
    memberInvitations: options.memberInvitations ?? false,
    admin: true,
    onBroken: broken.resolve,
    insecureHttp: options.insecureHttp ?? false,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(trustedProxy !== undefined && { trustedProxies: trustedProxy }),
    ...(acceptHost !== undefined && { hosts: acceptHost }),
    ...(metricsPort !== undefined && { metrics: { host: options.metricsHost, port: metricsPort } }),
    ...(limits !== undefined && { limits }),
    ...(options.blobs !== undefined && { blobs: options.blobs }),
    ...(logger !== null && { logger }),
  });
  resources.defer(() => relay.close());
  // Before the first line: its reader may stop the relay at once.
  const stop = stopped();
  started();
  log('info', 'relay.started', { ms: ms() });
  show(`The relay listens on ${relay.url}`);
  if (publicUrl !== undefined) show(`Clients know it as ${publicUrl}`);
  for (const line of REGISTRATION_NOTES[registration](folder)) show(line);
  if (publicUrl?.startsWith('https:') && trustedProxy === undefined) {
    show('All people behind the proxy count as one network address. Name the proxy with --trusted-proxy.');
  }
  if (relay.metricsPort !== null) {
    show(`Metrics are at http://${options.metricsHost}:${relay.metricsPort}/metrics`);
  }
  show('Press Ctrl+C to stop.');
  const brokenBy = broken.promise.then((reason) => {
    if (reason === DATABASE_REPLACED)
      throw new OperatorFailure('database_replaced', { file: join(folder, 'relay.db') });
    throw /^SQLITE_(?:CORRUPT|NOTADB)/.test(reason)
      ? new OperatorFailure('database_damaged', { file: join(folder, 'relay.db'), reason })
      : commandError('failed', 'database_broke', { folder, reason });
  });
  const signal = await Promise.race([stop, brokenBy]);
  if (options.drain > 0) {
    relay.drain();
    await Promise.race([delay(options.drain * 1000), brokenBy]);
  }
  return signal;
}
