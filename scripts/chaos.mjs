/**
 * `npm run chaos -- relay`: installs what is missing, then kills servers and relays under load, and looks what is lost.
 */
import { join } from 'node:path';
import { root } from './project.mjs';
import { run } from './run.mjs';
import { setUp } from './setup.mjs';

setUp();
process.exitCode = await run('node', [join(root, 'test/support/chaos/main.ts'), ...process.argv.slice(2)]);
