/** Suite 0x02 between devices that have an ML-KEM key, and a relay that tries to force suite 0x01. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decodeBase64Url, encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import { readSuite } from '../../../../src/protocol/envelope-form.ts';
import { nativeMlKem } from '../../../../src/protocol/ml-kem/native.ts';
import type { AddressKeys, PqKeys } from '../../../../src/protocol/schemas/directory.ts';
import type { Envelope } from '../../../../src/protocol/schemas/envelopes.ts';
import { eventually } from '../../../support/engine.ts';
import { directBody, forge, targetOf } from '../../../support/hostile-relay/forgery.ts';
import { PARTIES, type Party, waitForText } from '../../../support/hostile-relay/parties.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson, type Person, TestDevice } from '../../../support/person.ts';

const WAITING = expect.stringMatching(/current devices/i);

describe.each(PARTIES)('%s', (_, newParty) => {
  let hostile: HostileRelay;
  let ann: Party;
  /** A person with an ML-KEM key, unknown to Ann. */
  let ben: Person;
  beforeAll(async () => {
    hostile = await HostileRelay.start();
    ann = await newParty(hostile, 'ann');
  });
  beforeEach(async () => {
    ben = await newPerson(hostile.relay, new TestDevice('hybrid'));
  });
  afterEach(() => hostile.answerTruthfully());
  afterAll(() => hostile[Symbol.asyncDispose]());

  /** The copies that were posted for someone. */
  function copiesFor({ address }: Person): Envelope[] {
    const all = hostile.sent.flatMap((body) => (JSON.parse(body) as { envelopes: Envelope[] }).envelopes);
    return all.filter(({ toAddress }) => toAddress === address);
  }

  async function waitForBen(text: string): Promise<void> {
    const [envelope] = await eventually(
      () => ben.inbox(),
      ({ length }) => length > 0,
    );
    expect(envelope && ben.open(envelope)).toContain(text);
  }

  const suites = (envelopes: Envelope[]) =>
    envelopes.map(({ ciphertext }) => readSuite(decodeBase64Url(ciphertext)));

  test('copies for a device with an ML-KEM key are sealed in suite 2', async () => {
    expect(await ann.write(ben.address, 'for later, too')).toMatchObject({ state: 'sent' });
    const copies = copiesFor(ben);
    expect(copies).toHaveLength(1);
    expect(suites(copies)).toEqual([2]);
    await waitForBen('for later, too');
  });

  test('each device of a recipient gets its suite, and a simple program is shown', async () => {
    const tablet = new TestDevice('hybrid');
    const mallory = await newPerson(hostile.relay);
    await mallory.publishDevices([mallory.device, tablet]);
    expect(await ann.write(mallory.address, 'to both')).toMatchObject({ state: 'sent' });
    const copies = copiesFor(mallory);
    const suiteOf = (device: TestDevice) =>
      suites(copies.filter(({ recipientDeviceKey }) => recipientDeviceKey === device.sealKeyText));
    expect([suiteOf(mallory.device), suiteOf(tablet)]).toEqual([[1], [2]]);
    const [received] = await mallory.inbox(tablet);
    if (!received || !tablet.hybrid) throw new Error('the tablet got nothing');
    expect(mallory.open(received, tablet.hybrid)).toContain('to both');

    const target = await targetOf(hostile, mallory.token, ann.address);
    const message = {
      channel: 'direct' as const,
      body: directBody(mallory.address, ann.address, 'by suite 1'),
    };
    const forged = forge(mallory.address, target, message, mallory.signer);
    expect(suites([forged])).toEqual([1]);
    hostile.invent(target.deviceId, forged);
    await waitForText(ann, 'by suite 1');
  });

  test.each<[string, (keys: Record<string, string>) => Record<string, string>]>([
    ['is withheld', () => ({})],
    [
      'is the relay’s own',
      (keys) => {
        const own = encodeBase64Url(nativeMlKem.importKey(new Uint8Array(64).fill(3)).publicKey);
        return Object.fromEntries(Object.keys(keys).map((digest) => [digest, own]));
      },
    ],
  ])('nothing is sealed in suite 1 where the ML-KEM key %s: the message waits', async (_what, change) => {
    hostile.lie(({ path, status, body }) =>
      path.endsWith('/pq-keys') && status === 200 ? { keys: change((body as PqKeys).keys) } : undefined,
    );
    const pending = await ann.write(ben.address, 'not for everybody');
    expect(pending).toMatchObject({ state: 'waiting', problem: WAITING });
    expect(copiesFor(ben)).toEqual([]);
    hostile.answerTruthfully();
    await ann.retry(pending);
    await waitForBen('not for everybody');
    expect(suites(copiesFor(ben))).toEqual([2]);
  });

  test('a statement without its ML-KEM key is not the signed one', async () => {
    hostile.lie(({ path, status, body }) => {
      if (!path.includes(`/keys/${ben.address}`) || status !== 200) return undefined;
      const keys = body as AddressKeys;
      return { ...keys, sealKeys: keys.sealKeys.map((key) => ({ ...key, pq: null })) };
    });
    expect(await ann.write(ben.address, 'for Ben alone')).toMatchObject({ state: 'failed' });
    expect(copiesFor(ben)).toEqual([]);
  });
});
