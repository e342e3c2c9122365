/**
 * `npm run dev`: the interface with hot reload, on scenes and in a gallery. `npm run dev -- --real` shows it on a real
 * engine; what else is given goes to `waxwing serve`.
 */
import { build } from './build.mjs';
import { run } from './run.mjs';
import { setUp } from './setup.mjs';

setUp();
const args = process.argv.slice(2);
// The host that answers the page wants the built interface, too.
if (args.includes('--real')) await build();
process.exitCode = await run('node', ['dev/server/main.ts', ...args]);
