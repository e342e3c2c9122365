/** Faults of this program in one message of a page. */
import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { StoredGroup } from '../../../../src/engine/cache/group-chains.ts';
import { Inbox } from '../../../../src/messaging/receiving/inbox.ts';
import type { Verdict } from '../../../../src/messaging/receiving/verdict.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../../src/protocol/payload.ts';
import type { InboxEnvelope } from '../../../../src/protocol/schemas/inbox.ts';
import { openAccount, receivedDirect } from '../../../support/cached-account.ts';
import { idOf } from '../../../support/cached-device.ts';
import { groupOf, WRITTEN } from '../../../support/full-chat.ts';
import { readerOf } from '../../../support/inbox-reader.ts';

const [own = '', ann = '', ben = ''] = groupOf(3).people.map(({ address }) => address);

/** An envelope, and the verdict on its message. */
function accepted(number: number, sender: string, deviceId: string) {
  const frame = { id: idOf(number), sender, peer: own, seq: 1, sentAt: encodeTime(WRITTEN) };
  const body = { ...frame, kind: 'text', text: `number ${number}` } as DirectBody;
  const envelope: InboxEnvelope = {
    ...{ id: `envelope-${number}`, from: sender, toAddress: own, via: 'session' as const },
    ciphertext: encodeBase64Url(randomBytes(64)),
    ephemeralPublicKey: encodeBase64Url(randomBytes(32)),
    nonce: encodeBase64Url(randomBytes(12)),
    receivedAt: encodeTime(WRITTEN),
  };
  const header = { asRequest: false, automated: false, senderListSequence: 0, recipientListSequence: 0 };
  const received = receivedDirect(body, { receivedAt: WRITTEN, deviceId });
  return { envelope, verdict: { kind: 'accepted', received, header } as Verdict<StoredGroup> };
}

test('a fault in the receipt for one message does not stop the others', async () => {
  await using account = openAccount(own, () => WRITTEN);
  const { context } = account;
  for (const address of [ann, ben])
    context.conversations.ensure(context.contacts.idOf(address, WRITTEN), 'accepted', WRITTEN);
  const [annsDevice, bensDevice] = [idOf(101), idOf(102)];
  const page = [accepted(1, ann, annsDevice), accepted(2, ben, bensDevice)];
  vi.spyOn(Inbox.prototype, 'judge').mockImplementation(async function* () {
    yield* page;
  });
  const { dueReceipts } = context;
  const plan = dueReceipts.plan.bind(dueReceipts);
  vi.spyOn(dueReceipts, 'plan').mockImplementation((device, now, every) => {
    if (device.deviceId === annsDevice) throw new Error('a fault');
    plan(device, now, every);
  });
  const reader = readerOf(account, own);
  const envelopes = page.map(({ envelope }) => envelope);
  expect(await reader.receive(envelopes)).toEqual({ done: ['envelope-2'], fresh: 1, deferred: 1 });
  expect(dueReceipts.due(WRITTEN, 10)).toMatchObject([{ conversation: ben, deviceId: bensDevice }]);
  page.pop();
  await reader.receive(envelopes);
  // The third time it is refused.
  expect(await reader.receive(envelopes)).toEqual({ done: ['envelope-1'], fresh: 0, deferred: 0 });
});
