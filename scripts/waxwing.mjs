#!/usr/bin/env node
/**
 * The `waxwing` command from a checkout, on the project's own Node: npm run -s waxwing -- <command>.
 */
import { join } from 'node:path';
import { build, buildRelayDocs } from './build.mjs';
import { root } from './project.mjs';
import { run } from './run.mjs';
import { setUp } from './setup.mjs';

setUp();
const args = process.argv.slice(2);
// Only these commands serve built files.
if (args[0] === 'serve') await build();
if (args[0] === 'relay') await buildRelayDocs();
// A relative path starts at the person's folder. npm changes to the project's folder, and passes the former one.
const { npm_lifecycle_event: npmScript, INIT_CWD: calledIn } = process.env;
const cwd = npmScript === 'waxwing' && calledIn ? calledIn : process.cwd();
process.exitCode = await run('node', [join(root, 'src/cli/waxwing.ts'), ...args], { cwd });
