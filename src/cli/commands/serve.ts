/** `waxwing serve`: the app as a page in the browser. */

import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { Failure } from '../../base/failure.ts';
import { log } from '../../base/log.ts';
import { startBrowserHost } from '../../browser-host/index.ts';
import { withPageScript } from '../../browser-host/page-script.ts';
import { createCalls, filesIn, readSettings, receiptsIn } from '../../host/calls.ts';
import { lockDataFolder } from '../../host/data-folder.ts';
import { defaultDataFolder } from '../../host/default-folder.ts';
import { readInterfaceFiles } from '../../host/interface-files.ts';
import { findKeyringStore } from '../../host/keys/keyring-store.ts';
import { proxyAsSet } from '../../host/proxy-choice.ts';
import { Session } from '../../host/session.ts';
import { openSettings } from '../../host/settings-file.ts';
import { ResourceStack } from '../../relay/resource-stack.ts';
import { wordsIn } from '../../words/catalogues.ts';
import { LANGUAGE_VARIABLE, languageOf } from '../../words/languages.ts';
import { parsePort, parseRelay, stopRequested } from '../arguments.ts';
import { writeLogTo } from '../command-log.ts';
import { mayBeUnprotected, passphraseOfEnvironment } from '../passphrase.ts';
import { note } from '../printing.ts';

const INTERFACE = fileURLToPath(new URL('../../../out/renderer', import.meta.url));

interface ServeOptions {
  relay?: string;
  data: string;
  port: number;
  unprotectedKey?: true;
}

export function addServeCommand(program: Command, version: string): void {
  program
    .command('serve')
    .description('run the app in your browser')
    .option('--relay <url>', 'use this relay instead of one on this computer', parseRelay)
    .option('--data <folder>', 'the folder of keys and messages', defaultDataFolder('checkout'))
    .option('--port <number>', 'listen on this port of 127.0.0.1; 0 for any free one', parsePort, 0)
    .option(
      '--unprotected-key',
      'without a key store, store the key of your messages in a file beside them, without a passphrase',
    )
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing serve
  $ waxwing serve --relay https://relay.example
  $ waxwing serve --data ./alice --port 8080

The key of your messages is in the key store of your system. Without one, it is under a passphrase: the page asks for
it, or it is in WAXWING_PASSPHRASE, or in the file of WAXWING_PASSPHRASE_FILE.

On a machine without a browser, forward the port: ssh -L 8080:127.0.0.1:8080 that-machine`,
    )
    .action((options: ServeOptions) => serve(options, version));
}

async function serve(options: ServeOptions, version: string): Promise<void> {
  const folder = resolve(options.data);
  const language = languageOf(process.env[LANGUAGE_VARIABLE]);
  const files = withPageScript(readInterfaceFiles(INTERFACE, language), INTERFACE);
  await using resources = new ResourceStack();
  resources.defer(lockDataFolder(folder, ({ message }) => note(message)));
  writeLogTo(folder);
  const settings = openSettings(folder);
  const session = new Session({
    folder,
    findStore: findKeyringStore,
    mayBePlain: mayBeUnprotected(options.unprotectedKey),
    relay: options.relay ?? null,
    autoLockMinutes: () => readSettings(settings).autoLockMinutes,
    receipts: () => receiptsIn(readSettings(settings)),
    files: () => filesIn(readSettings(settings)),
    findProxy: proxyAsSet(() => readSettings(settings)),
  });
  resources.defer(() => session.close());
  reportUpdates(session);
  const calls = createCalls({
    session,
    settings,
    info: { kind: 'browser', version, platform: process.platform },
  });
  await session.start(passphraseOfEnvironment());
  // Not earlier: the start of the session may wait for a key store, and a signal then ends the process at once.
  const stop = stopRequested();
  const host = await startBrowserHost({
    calls,
    session,
    files,
    words: wordsIn(language),
    port: options.port,
  });
  resources.defer(() => host.close());
  if ((await Promise.race([stop, null])) !== null) return;
  log('info', 'app.started', { ms: Math.round(performance.now()) });

  console.log(`Waxwing is running. Open this link in your browser; it works once, for ten minutes:\n`);
  console.log(`  ${host.newLink()}\n`);
  console.log('Press Enter for another link, Ctrl+C to stop.');
  const terminal = createInterface({ input: process.stdin });
  resources.defer(() => terminal.close());
  terminal.on('line', () => console.log(`  ${host.newLink()}\n`));

  const broken = await Promise.race([stop, session.broken]);
  if (broken instanceof Failure) throw broken;
}

/** Reports the update of large data to a new format, by tenths. Before its end there may be no page. */
function reportUpdates(session: Session): void {
  let reported: number | null = null;
  session.onEvent(() => {
    const { update } = session.state;
    const percent = update && Math.floor((update.done / update.total) * 10) * 10;
    if (percent === reported) return;
    if (update && reported === null) {
      const megabytes = Math.ceil(update.bytes / 1e6);
      note(
        `Updating your data to a new format, with up to ${megabytes} MB of disk space. You can stop it: it continues at the next start.`,
      );
    }
    if (percent !== null) note(`${percent} %`);
    reported = percent;
  });
}
