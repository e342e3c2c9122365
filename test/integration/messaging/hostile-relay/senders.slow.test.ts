/**
 * A relay that invents messages, swaps their senders, and repeats earlier ones: none is shown as something else, and
 * honest ones arrive.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importEd25519, randomBytes } from '../../../../src/protocol/crypto.ts';
import { decodeBase64Url, encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
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
import { joinAs, placeAt } from '../../../support/relay-rosters.ts';

describe.each(PARTIES)('%s', (_, newParty) => {
  let hostile: HostileRelay;
  let ann: Party;
  let ben: Party;
  let target: Target;
  /** Dora, an honest person whose device the relay controls. She does not allow unsigned messages. */
  let dora: Person;
  beforeAll(async () => {
    hostile = await HostileRelay.start();
    ({ ann, ben } = await newPair(hostile, newParty));
    dora = await newPerson(hostile.relay);
    await dora.publishDevices([dora.device], { unsigned: [] });
    target = await targetOf(hostile, dora.token, ben.address);
    await ann.write(ben.address, 'the first');
    await waitForText(ben, 'the first');
  });
  afterAll(() => hostile[Symbol.asyncDispose]());

  /** Delivers envelopes to Ben, and makes Ann write after he has judged all of them: only hers arrives. */
  async function expectRefused(...lies: InboxEnvelope[]): Promise<void> {
    expect(await shownOf(hostile, { ann, ben }, target, lies)).toEqual([]);
    hostile.answerTruthfully();
  }

  const stranger = {
    deviceKey: importEd25519(randomBytes(32)),
    list: { sequence: 1, hash: encodeBase64Url(new Uint8Array(32)) },
  };
  const fromAnn = (text: string) => ({
    channel: 'direct' as const,
    body: directBody(ann.address, ben.address, text),
  });

  test('an unsigned message of a person who signs', async () => {
    await expectRefused(
      forge(ann.address, target, fromAnn('unsigned'), null),
      forge(ann.address, target, fromAnn('via API'), null, { via: 'api_key' }),
      forge(ann.address, target, fromAnn('via bot'), null, { via: 'group_token' }),
    );
  });

  test('a message signed by the relay’s own device, in a person’s name', async () => {
    await expectRefused(forge(ann.address, target, fromAnn('signed by a stranger'), stranger));
  });

  test('a message signed by the relay’s own key, in the name of a person’s certified device', async () => {
    const { body: keys } = await hostile.relay.call('getKeys', {
      token: dora.token,
      params: { address: ann.address },
    });
    const [device] = keys.deviceList.devices;
    if (!device) throw new Error('Ann has no device');
    const deviceKey = Object.assign(importEd25519(randomBytes(32)), {
      publicKey: decodeBase64Url(device.key),
    });
    await expectRefused(forge(ann.address, target, fromAnn('signed by nobody'), { ...stranger, deviceKey }));
  });

  test('a message signed by the device of another real person', async () => {
    const { signer } = dora;
    await expectRefused(forge(ann.address, target, fromAnn('signed by Dora'), signer));
  });

  test('a genuine message of one person under another’s name', async () => {
    const { signer } = dora;
    const body = directBody(dora.address, ben.address, 'Dora’s words');
    await expectRefused(forge(ann.address, target, { channel: 'direct', body }, signer));
  });

  test('different senders inside and outside, signed by the device of the outer one', async () => {
    await expectRefused(forge(dora.address, target, fromAnn('in two names'), dora.signer));
  });

  test('a genuine message to another person', async () => {
    const { signer } = dora;
    const body = directBody(dora.address, ann.address, 'for Ann');
    const forBen = {
      channel: 'direct' as const,
      body: directBody(dora.address, ben.address, 'sealed for two'),
    };
    await expectRefused(
      forge(dora.address, target, { channel: 'direct', body }, signer),
      forge(dora.address, target, { channel: 'direct', body }, signer, { toAddress: ann.address }),
      forge(dora.address, { ...target, address: ann.address }, forBen, signer),
    );
  });

  test('an API key and a group token cannot write for a person who allows no unsigned messages', async () => {
    const body = directBody(dora.address, ben.address, 'no device signed this');
    const message = { channel: 'direct' as const, body };
    await expectRefused(forge(dora.address, target, message, null, { via: 'api_key' }));
    // A group token posts only into its group.
    await expectRefused(forge(dora.address, target, message, null, { via: 'group_token' }));
  });

  test('changed, missing and additional bytes', async () => {
    const true_ = forge(ann.address, target, fromAnn('changed'), stranger);
    const bytes = Buffer.from(true_.ciphertext, 'base64url');
    const flipped = Buffer.from(bytes);
    flipped[20] = (flipped[20] ?? 0) ^ 1;
    const withCiphertext = (ciphertext: Buffer): InboxEnvelope => ({
      ...true_,
      id: encodeBase64Url(randomBytes(32)),
      ciphertext: ciphertext.toString('base64url'),
    });
    await expectRefused(
      withCiphertext(flipped),
      withCiphertext(bytes.subarray(0, 40)),
      withCiphertext(Buffer.concat([bytes, bytes])),
      { ...withCiphertext(bytes), ephemeralPublicKey: encodeBase64Url(new Uint8Array(32)) },
      { ...withCiphertext(bytes), nonce: encodeBase64Url(randomBytes(12)) },
      { ...withCiphertext(bytes), recipientDeviceKey: encodeBase64Url(randomBytes(32)) },
      { ...withCiphertext(bytes), asRequest: true },
    );
  });

  test('a shown message is not shown again: under another id, later, in another order, after a restart', async () => {
    const seen: InboxEnvelope[] = [];
    hostile.lie(({ path, status, body }) => {
      if (!path.includes(`/inbox?device=${target.deviceId}`) || status !== 200) return undefined;
      const page = body as { envelopes: InboxEnvelope[] };
      seen.push(...page.envelopes);
      return { ...page, envelopes: page.envelopes.toReversed() };
    });
    for (const text of ['one', 'two', 'three']) await ann.write(ben.address, text);
    for (const text of ['three', 'one']) await waitForText(ben, text);
    expect(seen.length).toBeGreaterThanOrEqual(3);
    hostile.answerTruthfully();
    const again = (envelope: InboxEnvelope): InboxEnvelope => ({
      ...envelope,
      id: encodeBase64Url(randomBytes(32)),
      receivedAt: encodeTime(Date.now() + 86_400_000),
    });
    await expectRefused(...seen, ...seen.map(again));
    await ben.restart();
    await expectRefused(...seen.toReversed().map(again));
    const texts = await ben.texts();
    expect(texts.length).toBe(new Set(texts).size);
  });

  test('only members are shown in a group, and not in a group without Ben', async () => {
    const id = await ben.makeGroup('Herons');
    await ben.look(id);
    const post = async (text: string, groupId = id) => {
      const body = groupBody(dora.address, groupId, await placeAt(dora, id), text);
      return forge(dora.address, target, { channel: 'group', body }, dora.signer);
    };
    await expectRefused(await post('as if she were in it'), await post('as if Ben were', 'grp_of_nobody'));
    await joinAs(dora, id);
    hostile.invent(target.deviceId, await post('as a member'));
    await waitForText(ben, 'as a member');
  });

  // Neither after the device's certificate expired nor before its start: the own clock bounds the relay's.
  test('a false time of the relay, a century ahead or in the past, loses no message', async () => {
    const message = (text: string) => ({
      channel: 'direct' as const,
      body: directBody(dora.address, ben.address, text),
    });
    for (const [text, receivedAt] of [
      ['far in the future', '2126-01-01T00:00:00.000Z'],
      ['long ago', '2001-01-01T00:00:00.000Z'],
    ] as const) {
      hostile.invent(
        target.deviceId,
        forge(dora.address, target, message(text), dora.signer, { receivedAt }),
      );
      await waitForText(ben, text);
    }
  });
});
