/** Builds the page of a relay before the tests of a run, if its sources have changed. */
// @ts-expect-error: a script of plain JavaScript
export { buildRelayDocs as setup } from '../../scripts/build.mjs';
