/**
 * The file thread of an engine, which exits at a command of the test (cut-transfers.ts), after reporting it.
 */
import { BroadcastChannel } from 'node:worker_threads';
import '../../src/engine/files/worker.ts';

const channel = new BroadcastChannel('end of file threads');
channel.onmessage = (event) => {
  if ((event as { data: unknown }).data !== 'end') return;
  channel.postMessage('ended');
  process.exit(1);
};
channel.unref();
