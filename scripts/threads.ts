/** The sources of the app's threads, by the names of their files in the build. */
export const THREADS: Readonly<Record<string, string>> = {
  'engine-worker': 'src/engine/worker.ts',
  'sealing-worker': 'src/engine/sealing/worker.ts',
  'file-worker': 'src/engine/files/worker.ts',
  'embedded-worker': 'src/embedded/worker.ts',
  'store-worker': 'src/relay/store/sqlite/worker.ts',
};
