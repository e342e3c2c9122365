#!/usr/bin/env node
/** The `waxwing` command of a checkout, including the app. */
import { ALL_COMMANDS } from './all-commands.ts';
import { main } from './main.ts';

await main(ALL_COMMANDS);
