/** Messages of blocked people are dropped for good. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_OF_STRANGER } from '../../../../src/engine/cache/seen.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../../src/protocol/payload.ts';
import { openAccount, receive, receivedDirect } from '../../../support/cached-account.ts';

const [ANN, BEN] = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`) as [string, string];
const NOW = Date.parse('2026-11-20T20:00:00.000Z');

test('a message that was dropped during a block is not shown when the relay delivers it again', async () => {
  await using account = openAccount(ANN, () => NOW);
  const { context } = account;
  const textOf = (text: string) => {
    const id = randomBytes(16).toString('base64url');
    const body = { id, sender: BEN, peer: ANN, sentAt: encodeTime(NOW), seq: 1, kind: 'text', text };
    return receivedDirect(body as DirectBody, { receivedAt: NOW });
  };
  const dropped = textOf('dropped');
  receive(context, ANN, textOf('before'));
  context.own.mark('blocked', BEN, true);
  expect(receive(context, ANN, dropped).stored).toBeNull();
  context.own.unblock(BEN);
  expect(receive(context, ANN, dropped)).toMatchObject({ isNew: false, stored: null });
  expect(receive(context, ANN, textOf('after')).stored).not.toBeNull();
});

test('the messages of a blocked person occupy bounded space, for any number', async () => {
  await using account = openAccount(ANN, () => NOW);
  const { context } = account;
  context.own.mark('blocked', BEN, true);
  const frame = { sender: BEN, peer: ANN, sentAt: encodeTime(NOW), seq: 1, kind: 'text', text: 'x' };
  const ids = Array.from({ length: MAX_OF_STRANGER + 100 }, () => randomBytes(16));
  context.transaction(() => {
    for (const uid of ids)
      receive(context, ANN, receivedDirect({ ...frame, id: uid.toString('base64url') }, { receivedAt: NOW }));
  });
  expect(ids.filter((uid) => context.seen.has(BEN, uid, true))).toHaveLength(MAX_OF_STRANGER);
});
