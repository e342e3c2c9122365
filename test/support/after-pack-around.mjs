/** What electron-builder calls in place of scripts/after-pack.mjs: the fuses are those that the Electron has. */
import { prepare } from '../../scripts/after-pack.mjs';
import { fusesOf } from '../../scripts/fuses.ts';

/** @param {import('app-builder-lib').AfterPackContext} context */
export default (context) => prepare(context, fusesOf);
