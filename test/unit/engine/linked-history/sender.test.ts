/** Making the parts of a history, with a real file thread and without a relay. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { FileThread } from '../../../../src/engine/files/thread.ts';
import type { Account } from '../../../../src/engine/identity/account.ts';
import { offerHistory } from '../../../../src/engine/linked-history/begin.ts';
import { HistorySender } from '../../../../src/engine/linked-history/sender.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../../src/protocol/payload.ts';
import { receive, receivedDirect } from '../../../support/cached-account.ts';
import { ann, LATER, openAnn } from '../../../support/history.ts';

const id = () => randomBytes(16).toString('base64url');
const WORKER = new URL('../../../../src/engine/files/worker.ts', import.meta.url);

test('a part that is being made when the computer begins again is discarded', async () => {
  const device = openAnn(() => LATER);
  const { context, db, folder } = device;
  const thread = new FileThread(WORKER, folder, {
    token: () => Promise.reject(new Error('no relay')),
    proxyFor: async () => ({ ok: true, value: null }),
    progress: () => undefined,
    verified: () => undefined,
  });
  await using resources = new AsyncDisposableStack();
  resources.defer(async () => {
    await thread.close();
    device.close();
  });
  const [laptop, snapshots] = [id(), [id(), id()]];
  const list = { sequence: 1, devices: [{ deviceId: laptop }] };
  db.prepare('INSERT INTO own_lists (sequence, list) VALUES (1, ?)').run(JSON.stringify(list));
  const request = (snapshot = '') => {
    const fields = { kind: 'own.history.request', snapshot, from: 1 };
    const frame = { id: id(), sender: ann.address, peer: ann.address, sentAt: encodeTime(LATER), seq: 0 };
    const body = { ...frame, ...fields } as DirectBody;
    receive(context, ann.address, receivedDirect(body, { receivedAt: LATER, deviceId: laptop }));
  };
  offerHistory(context, laptop, true);
  request(snapshots[0]);

  // Only the address is used before the first part is made.
  const account = { address: ann.address } as Account;
  const send = async () => undefined;
  const sender = new HistorySender({ context, account, thread, send, onPlanned: () => undefined });
  const working = sender.work();
  request(snapshots[1]);
  await working;
  expect(context.linkedHistory.sendingTo(laptop)).toMatchObject({ snapshot: snapshots[1], made: 0 });
  expect(context.linkedHistory.parts(laptop)).toEqual([]);
  expect(context.files.ids(), 'no file of the discarded part').toEqual([]);
  await sender.work();
  expect(context.linkedHistory.parts(laptop).length).toBeGreaterThan(0);
});
