/**
 * The `waxwing` command from a checkout, on the project's own Node: npm run -s waxwing -- <command>.
 */
import { build } from './build.mjs';
import { run } from './run.mjs';
import { setUp } from './setup.mjs';

setUp();
const args = process.argv.slice(2);
// The interface is needed by one command alone.
if (args[0] === 'serve') build();
process.exitCode = await run('node', ['src/cli/waxwing.ts', ...args]);
