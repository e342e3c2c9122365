/** Shared by the quick and the slow tests of data-folder. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';

export const SOURCE = new URL('../../../src/host/data-folder.ts', import.meta.url).href;

export async function firstWords(child: ChildProcessWithoutNullStreams): Promise<string> {
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return chunk.toString().trim();
}
