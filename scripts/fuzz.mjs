/**
 * `npm run fuzz`: installs missing programs, then tries the relay with a million generated requests.
 */
import { join } from 'node:path';
import { root } from './project.mjs';
import { run } from './run.mjs';
import { setUp } from './setup.mjs';

setUp();
process.exitCode = await run('node', [join(root, 'test/support/fuzz/main.ts'), ...process.argv.slice(2)]);
