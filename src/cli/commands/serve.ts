/**
 * `waxwing serve`: the app as a page of the browser.
 */
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import Conf from 'conf';
import { defaultSettings, type Settings } from '../../bridge/shapes.ts';
import { startBrowserHost } from '../../browser-host/index.ts';
import { KEY_FILE_PROTECTION, readOrCreateKey } from '../../browser-host/key-file.ts';
import { withPageScript } from '../../browser-host/page-script.ts';
import { startEmbeddedRelay } from '../../embedded/start.ts';
import { startEngine } from '../../engine/start.ts';
import { createCalls } from '../../host/calls.ts';
import { defaultDataFolder, lockDataFolder } from '../../host/data-folder.ts';
import { readInterfaceFiles } from '../../host/interface-files.ts';
import { parsePort, parseRelay, stopRequested } from '../arguments.ts';
import { CommandError } from '../errors.ts';

const INTERFACE = fileURLToPath(new URL('../../../out/renderer', import.meta.url));

interface ServeOptions {
  relay?: string;
  data: string;
  port: number;
}

export function addServeCommand(program: Command, version: string): void {
  program
    .command('serve')
    .description('the app as a page of your browser, served on this computer only')
    .option('--relay <url>', 'talk through this relay, instead of one on this computer', parseRelay)
    .option('--data <folder>', 'keep keys and messages here', defaultDataFolder())
    .option('--port <number>', 'listen on this port of 127.0.0.1; 0 for any free one', parsePort, 0)
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing serve
  $ waxwing serve --relay https://relay.example
  $ waxwing serve --data ./alice --port 8080

On a machine without a browser, forward the port: ssh -L 8080:127.0.0.1:8080 that-machine`,
    )
    .action((options: ServeOptions) => serve(options, version));
}

async function serve(options: ServeOptions, version: string): Promise<void> {
  const folder = resolve(options.data);
  const fixed = options.relay ?? null;
  const files = withPageScript(readInterfaceFiles(INTERFACE), INTERFACE);
  await using resources = new AsyncDisposableStack();
  resources.defer(lockDataFolder(folder));
  const settings = openSettings(folder);
  const databaseKey = readOrCreateKey(folder);
  const embedded =
    fixed === null ? await startEmbeddedRelay({ dataDirectory: join(folder, 'embedded') }) : null;
  if (embedded) resources.defer(() => embedded.close());
  const engine = await startEngine({
    dataDirectory: join(folder, 'engine'),
    databaseKey,
    relays: { embedded: embedded?.url ?? null, fixed },
  });
  resources.defer(() => engine.close());
  const calls = createCalls({
    engine,
    settings,
    info: { kind: 'browser', version, platform: process.platform, keyProtection: KEY_FILE_PROTECTION },
  });
  const host = await startBrowserHost({ calls, files, port: options.port });
  resources.defer(() => host.close());

  console.log(`Waxwing is running. Open this link in your browser; it works once, for ten minutes:\n`);
  console.log(`  ${host.newLink()}\n`);
  console.log('Press Enter for another link, Ctrl+C to stop.');
  const terminal = createInterface({ input: process.stdin });
  resources.defer(() => terminal.close());
  terminal.on('line', () => console.log(`  ${host.newLink()}\n`));

  const broken = await Promise.race([
    stopRequested(),
    engine.ended,
    embedded?.ended ?? new Promise<never>(() => {}),
  ]);
  if (typeof broken === 'string') throw new CommandError(broken);
}

/** @throws CommandError if somebody edited the file into something that cannot be read */
function openSettings(folder: string): Conf<Settings> {
  try {
    return new Conf<Settings>({ cwd: folder, configName: 'settings', defaults: defaultSettings });
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new CommandError(
      `The settings in ${join(folder, 'settings.json')} cannot be read. Correct the file, or delete it to start with the usual settings. (${reason})`,
    );
  }
}
