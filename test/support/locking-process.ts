/**
 * Opens a folder with its passphrase, reads its contents, locks, and writes a heap snapshot. Arguments: folder,
 * passphrase, file of the snapshot, relay, and `hold` to keep the contents, as a control.
 */
import { writeHeapSnapshot } from 'node:v8';
import { testSession } from './session.ts';

const [folder = '', passphrase = '', file = '', relay = '', hold] = process.argv.slice(2);
const session = testSession(folder, { mayBePlain: false, relay });
await session.start();
await session.unlock(passphrase);
const open: unknown[] = [];
for (const name of ['app.state', 'conversations.list', 'connection.get']) {
  const answer = await session.call(name, {});
  if (!answer.ok) throw new Error(answer.failure.code);
  if (hold === 'hold') open.push(answer);
}
await session.lock();
writeHeapSnapshot(file);
await session.close();
process.stdout.write(String(open.length));
