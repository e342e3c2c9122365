/**
 * `waxwing relay`: the service alone.
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { lockDataFolder } from '../../host/data-folder.ts';
import { startRelay } from '../../relay/index.ts';
import { parsePort, parsePublicUrl, stopRequested } from '../arguments.ts';
import { CommandError } from '../errors.ts';

interface RelayOptions {
  port: number;
  data: string;
  host: string;
  publicUrl?: string;
  name: string;
}

export function addRelayCommand(program: Command): void {
  program
    .command('relay')
    .description('a relay alone, for a team or the public')
    .requiredOption('--data <folder>', 'keep the relay’s database here')
    .option('--port <number>', 'listen on this port; 0 for any free one', parsePort, 8787)
    .option('--host <address>', 'listen on this address', '127.0.0.1')
    .option(
      '--public-url <url>',
      'how clients reach it, if not by host and port: behind a proxy, say',
      parsePublicUrl,
    )
    .option('--name <text>', 'what people see when they choose it', 'Waxwing relay')
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing relay --port 8787 --data ./relay
  $ waxwing relay --data /var/lib/waxwing --public-url https://relay.example

Clients sign in to the host of the public URL and to no other. Put a proxy with TLS in front of it.`,
    )
    .action(runRelay);
}

async function runRelay(options: RelayOptions): Promise<void> {
  const folder = resolve(options.data);
  await using resources = new AsyncDisposableStack();
  resources.defer(lockDataFolder(folder));
  const broken = Promise.withResolvers<string>();
  const relay = await startRelay({
    dataDirectory: folder,
    host: options.host,
    port: options.port,
    name: options.name,
    onBroken: broken.resolve,
    ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
  });
  resources.defer(() => relay.close());
  console.log(`The relay listens on ${relay.url}`);
  if (options.publicUrl !== undefined) console.log(`Clients know it as ${options.publicUrl}`);
  console.log('Press Ctrl+C to stop.');
  const reason = await Promise.race([stopRequested(), broken.promise]);
  if (typeof reason === 'string') {
    throw new CommandError(
      `The relay stopped because its database broke: ${reason}. Look at the disk of ${folder}, and start it again; nothing that it confirmed is lost.`,
    );
  }
}
