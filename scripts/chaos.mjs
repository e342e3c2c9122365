/**
 * `npm run chaos -- relay`: installs missing programs, then kills servers and relays under load, and counts lost messages.
 */
import { join } from 'node:path';
import { root } from './project.mjs';
import { run } from './run.mjs';
import { setUp } from './setup.mjs';

setUp();
process.exitCode = await run('node', [join(root, 'test/support/chaos/main.ts'), ...process.argv.slice(2)]);
