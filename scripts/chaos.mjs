/**
 * `npm run chaos -- relay`: installs what is missing, then kills servers and relays under load, and looks what is lost.
 */
import { join } from 'node:path';
import { run } from './run.mjs';
import { root, setUp } from './setup.mjs';

setUp();
process.exitCode = await run('node', [join(root, 'test/support/chaos/main.ts'), ...process.argv.slice(2)]);
