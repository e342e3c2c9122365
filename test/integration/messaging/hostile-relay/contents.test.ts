/**
 * Contents that this version does not know, unsigned texts, and false times: their appearance.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import { decodePayload } from '../../../../src/protocol/payload.ts';
import type { InboxEnvelope } from '../../../../src/protocol/schemas/inbox.ts';
import {
  directBody,
  forge,
  groupBody,
  type Target,
  targetOf,
} from '../../../support/hostile-relay/forgery.ts';
import {
  newPair,
  PARTIES,
  type Party,
  shownOf,
  waitForText,
} from '../../../support/hostile-relay/parties.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson, type Person } from '../../../support/person.ts';
import { beginAs, joinAs, placeAt } from '../../../support/relay-rosters.ts';

const DAY = 24 * 3_600_000;

describe.each(PARTIES)('%s', (_, newParty) => {
  let hostile: HostileRelay;
  let ann: Party;
  let ben: Party;
  /** Ben has written to her. She allows unsigned messages of programs. */
  let dora: Person;
  let target: Target;
  beforeAll(async () => {
    hostile = await HostileRelay.start();
    ({ ann, ben } = await newPair(hostile, newParty));
    dora = await newPerson(hostile.relay);
    await dora.publishDevices([dora.device], { unsigned: ['api'] });
    target = await targetOf(hostile, dora.token, ben.address);
    await ben.write(dora.address, 'hello Dora');
    await ben.write(ann.address, 'hello Ann');
  });
  afterAll(() => hostile[Symbol.asyncDispose]());

  const message = (fields: object) => ({
    channel: 'direct' as const,
    body: { ...directBody(dora.address, ben.address, ''), ...fields },
  });
  /** A direct message of Dora, signed by her device. */
  const fromDora = (fields: object, changes: Partial<InboxEnvelope> = {}) =>
    forge(dora.address, target, message(fields), dora.signer, changes);
  /** A message by her API key, or by a group token. */
  const unsigned = (fields: object, via: 'api_key' | 'group_token' = 'api_key') =>
    forge(dora.address, target, message(fields), null, { via });

  /** Ben's views of envelopes, in order. */
  const shown = (...envelopes: InboxEnvelope[]) => shownOf(hostile, { ann, ben }, target, envelopes);

  test('an unknown reaction and a hello show no message', async () => {
    expect(await shown(fromDora({ kind: 'reaction', emoji: ['x'] }), fromDora({ kind: 'hello' }))).toEqual(
      [],
    );
  });

  test('a text that is too long or has control characters is shown as its fallback, or not shown', async () => {
    const fallback = 'a text that is too long';
    const texts = await shown(
      fromDora({ text: 'x'.repeat(16_385), fallback }),
      fromDora({ text: 'escape \u001b[2J' }),
    );
    expect(texts).toEqual([fallback]);
  });

  test('an unsigned invitation or hello is ignored, although its sender allows programs', async () => {
    const texts = await shown(
      unsigned({ kind: 'invite', group: 'g', name: 'Birds', fallback: 'an unsigned invitation' }),
      unsigned({ kind: 'hologram', fallback: 'an unsigned hologram' }),
      unsigned({ kind: 'hello' }),
      unsigned({ text: 'an unsigned text' }),
    );
    expect(texts).toEqual(['an unsigned text']);
  });

  test('posts of bots are shown only in groups whose owner allowed them', async () => {
    const groupId = await ann.makeGroup('Ours');
    await ben.joinGroup(groupId);
    await joinAs(dora, groupId);
    const own = await beginAs(dora, { name: 'Dora’s', unsignedBots: true });
    await ben.joinGroup(own);
    const inGroup = async (id: string, text: string, via: 'group_token' | 'api_key') => {
      const body = groupBody(dora.address, id, await placeAt(dora, id), text);
      return forge(dora.address, target, { channel: 'group', body }, null, { via });
    };
    const texts = await shown(
      unsigned({ text: 'bot, direct' }, 'group_token'),
      await inGroup(groupId, 'bot, in Ann’s group', 'group_token'),
      await inGroup(own, 'bot, in her own group', 'group_token'),
      await inGroup(groupId, 'program, in Ann’s group', 'api_key'),
    );
    expect(texts.toSorted()).toEqual(['bot, in her own group', 'program, in Ann’s group']);
    // A later change of the named creator does not help either.
    hostile.lie(({ method, path, status, body }) =>
      method === 'GET' && path.endsWith(`/groups/${groupId}`) && status === 200
        ? { ...(body as object), creator: dora.address }
        : undefined,
    );
    await ben.look(groupId);
    expect(await shown(await inGroup(groupId, 'bot, under another creator', 'group_token'))).toEqual([]);
    hostile.answerTruthfully();
  });

  test('an unsigned message does not block the signed one with its id', async () => {
    const signed = { ...directBody(dora.address, ben.address, 'the signed one') };
    const texts = await shown(
      unsigned({ ...signed, text: 'the forged one' }),
      fromDora(signed),
      unsigned({ ...signed, text: 'the forged one, again' }),
    );
    expect(texts.toSorted()).toEqual(['the forged one', 'the signed one']);
  });

  test('a message old enough for a replay, or from the future, is refused', async () => {
    const at = (offset: number) => encodeTime(Date.now() + offset);
    const texts = await shown(
      fromDora({ text: '60 days old', sentAt: at(-60 * DAY) }),
      fromDora({ text: '40 days old', sentAt: at(-40 * DAY) }),
      fromDora({ text: 'of the day after tomorrow', sentAt: at(2 * DAY) }),
      fromDora(
        { text: 'of next year, as the relay says', sentAt: at(366 * DAY) },
        { receivedAt: at(366 * DAY) },
      ),
    );
    expect(texts).toEqual(['40 days old']);
  });

  test('a timer from next year, with the relay’s help, does not change the dates of later messages', async () => {
    const nextYear = encodeTime(Date.now() + 366 * DAY);
    await shown(
      fromDora({ kind: 'timer', seconds: 60, text: undefined, sentAt: nextYear }, { receivedAt: nextYear }),
    );
    await ben.write(dora.address, 'after the timer');
    const [newest] = (await dora.inbox()).slice(-1);
    if (!newest) expect.unreachable('nothing came');
    const { body } = decodePayload(dora.openBytes(newest));
    expect(body).toMatchObject({ text: 'after the timer' });
    expect(Date.parse(body.sentAt)).toBeLessThan(Date.now() + DAY);
  });

  test('a text of more than 16,384 bytes is refused with the limit, and control characters are sent as U+FFFD', async () => {
    const refused = ben.write(ann.address, 'é'.repeat(8_193));
    await expect(refused).rejects.toThrow('it has 16386 bytes, and the limit is 16384');
    expect(await ben.write(ann.address, 'é'.repeat(8_192))).toMatchObject({ state: 'sent' });
    await waitForText(ann, 'é'.repeat(8_192));
    expect(await ben.write(ann.address, 'one\r\ntwo \u001b[2J')).toMatchObject({ state: 'sent' });
    await waitForText(ann, 'one\ntwo \ufffd[2J');
  });
});
