#!/usr/bin/env node
/**
 * The `waxwing` command of the npm package.
 */
import { main } from './main.ts';
import { COMMANDS } from './program.ts';

await main(COMMANDS);
