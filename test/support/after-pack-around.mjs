/** Hook of electron-builder in place of scripts/after-pack.mjs: keeps the fuses of that Electron. */
import { prepare } from '../../scripts/after-pack.mjs';
import { fusesOf } from '../../scripts/fuses.ts';

/** @param {import('app-builder-lib').AfterPackContext} context */
export default (context) => prepare(context, fusesOf);
