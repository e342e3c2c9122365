/**
 * Tests start many processes and threads from the sources. Node caches the compiled code of each file, which halves the time
 * until one of them is ready.
 */
import { fileURLToPath } from 'node:url';

/** Says where to keep it to the processes that this one starts, unless the environment does. */
export function keepCompiledCode(): void {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
    new URL('../../node_modules/.cache/waxwing-compiled', import.meta.url),
  );
}
