/**
 * Loaded before a program (`--import`): its threads run the build instead of the sources. The build has a few files in place of
 * hundreds of modules, which saves a third of the processor time until a thread is ready. scripts/test.mjs builds first and
 * sets WAXWING_BUILT_THREADS; a test file that is run by itself uses the sources.
 */
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { THREADS } from '../../scripts/threads.ts';

const root = new URL('../../', import.meta.url);
const builds = new Map(
  Object.entries(THREADS).map(([name, source]) => [
    new URL(source, root).href,
    new URL(`out/main/${name}.js`, root).href,
  ]),
);

if (!isMainThread) {
  registerHooks({
    resolve(specifier, context, next) {
      // Only the entry of a thread has no parent. Tests have threads of their own that change the program and import a source.
      const built = context.parentURL === undefined ? builds.get(specifier) : undefined;
      return next(built ?? specifier, context);
    },
  });
}
