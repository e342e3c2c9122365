/**
 * A relay started as the files of deploy/ start it, with their permissions of Node, as a process of this checkout.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WaxwingProcess } from '../e2e/support/waxwing.ts';
import { ENTRY } from './waxwing-command.ts';

const root = realpathSync(fileURLToPath(new URL('../..', import.meta.url)));
const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');

/** The command of the systemd unit, with systemd's substitutions. */
function unitCommand(): string {
  const [, command = ''] =
    /^ExecStart=\S+((?:.*\\\n)*.*)$/m.exec(read('systemd/waxwing-relay@.service')) ?? [];
  const options = /^WAXWING_OPTIONS=(.*)$/m.exec(read('systemd/main.env'))?.[1] ?? '';
  return command.replaceAll('\\\n', ' ').replaceAll('%i', 'main').replace('$WAXWING_OPTIONS', options);
}

/** The command of the image, and the options of its relays. */
function imageCommand(): string {
  const [, entry = ''] = /^ENTRYPOINT \[((?:.*\\\n)*.*)\]$/m.exec(read('container/Containerfile')) ?? [];
  const [, ...args] = JSON.parse(`[${entry.replaceAll('\\\n', ' ')}]`) as string[];
  return [...args, 'relay --data /data --port 8787 --metrics-port 9464'].join(' ');
}

/** Paths of the shipped files, and the same in this checkout, with its state below `state`. */
const PLACES = {
  unit: (state: string) => ({
    '/opt/waxwing/node_modules/waxwing/lib/cli/packaged.js': ENTRY,
    '/var/lib/waxwing': state,
    '--allow-fs-write=/var/log/waxwing': '',
  }),
  image: (state: string) => ({ ' waxwing relay': ` ${ENTRY} relay`, '/data': state }),
};

export type Shipped = keyof typeof PLACES;

/**
 * Starts the relay of the unit or of the image, on ports that are free.
 * @param state a folder, by its real path
 * @throws Error if the file in deploy/ does not name a path or port that is replaced here
 */
export function startShipped(shipped: Shipped, state: string): WaxwingProcess {
  let line = shipped === 'unit' ? unitCommand() : imageCommand();
  const checkout = [root, realpathSync(join(root, 'node_modules'))];
  const places = {
    ...PLACES[shipped](state),
    '--allow-fs-read=/opt/waxwing': checkout.map((path) => `--allow-fs-read=${path}`).join(' '),
    '--port 8787': '--port 0',
    '--metrics-port 9464': '--metrics-port 0',
  };
  for (const [from, to] of Object.entries(places)) {
    if (!line.includes(from)) throw new Error(`the ${shipped} does not name ${from}`);
    line = line.replaceAll(from, to);
  }
  const args = line.trim().split(/\s+/);
  const at = args.indexOf(ENTRY);
  return new WaxwingProcess(args.slice(at + 1), args.slice(0, at));
}

/** The metrics that it serves, in Prometheus' text format. */
export async function metricsOf(relay: WaxwingProcess): Promise<string> {
  return (await fetch(await relay.printed(/http:\S+\/metrics/))).text();
}
