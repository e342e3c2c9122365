#!/usr/bin/env node
/**
 * The `waxwing` command of a checkout, which has the app, too.
 */
import { ALL_COMMANDS } from './all-commands.ts';
import { main } from './main.ts';

await main(ALL_COMMANDS);
