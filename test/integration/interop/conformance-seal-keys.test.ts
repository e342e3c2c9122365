/**
 * Seal keys and their changes: docs/protocol.md §5, 'Seal key', and the parts of §11 to §14 about them.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import type { Answer, Group, GroupResults, Keys, Problem } from '../../interop/by-hand/calls.ts';
import { createGroup } from '../../interop/by-hand/credentials.ts';
import { createDevice, newSealPair, statementOf } from '../../interop/by-hand/device.ts';
import { groupText, sealForGroup } from '../../interop/by-hand/group.ts';
import { only } from '../../interop/by-hand/only.ts';
import { expectProblem } from '../../interop/by-hand/problems.ts';
import type { Envelope } from '../../interop/seal.ts';
import type { SealKey } from '../../interop/seal-key.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let ada: Account;
let bob: Account;

beforeAll(() => relay.start());
beforeEach(async () => {
  relay.ahead = 0;
  [ada, bob] = await Promise.all([Account.bare(relay.url), Account.bare(relay.url)]);
});
afterAll(() => relay[Symbol.asyncDispose]());

const sealed = async (text: string): Promise<Envelope> =>
  only(await ada.sealFor(await ada.keysOf(bob.address), ada.text(bob.address, text)));
const send = (envelope: Envelope) => ada.session.send<Problem>('POST', '/envelopes', envelope);
const put = (sealKey: SealKey): Promise<Answer<Problem>> =>
  bob.session.send('PUT', `/me/devices/${sealKey.deviceId}/seal-key`, { sealKey });

/** A statement of bob's device about a new key, with these changes made before it is signed. */
async function statement(sequence: number, listSequence = 1, now = Date.now()): Promise<SealKey> {
  return statementOf(
    bob.address,
    { ...bob.device, sealKeys: await newSealPair() },
    sequence,
    listSequence,
    now,
  );
}

describe('a copy for the previous seal key', () => {
  it('§5: is accepted for 15 minutes, into the same queue, and its reader opens it', async () => {
    const late = await sealed('sealed to the key before');
    await bob.renewSealKey();
    expect((await send(late)).status).toBe(201);
    const received = only(await bob.receive());
    expect(received.recipientDeviceKey).toBe(late.recipientDeviceKey);
    expect((await bob.read(received)).body.text).toBe('sealed to the key before');
  });

  it.each([
    [14, 201],
    [16, 422],
  ])('§5: %d minutes after the change is answered with %d', async (minutes, status) => {
    const late = await sealed('late');
    await bob.renewSealKey();
    relay.ahead = minutes * MINUTE;
    await ada.login();
    expect((await send(late)).status).toBe(status);
  });

  it('§5: is counted from `notBefore` of the new key, which may be some minutes old at its publication', async () => {
    const late = await sealed('late');
    await bob.renewSealKey(Date.now() - 16 * MINUTE);
    expectProblem(await send(late), 422, 'unknown_device');
  });

  it('§5: is accepted for the key before that one too, during its own 15 minutes', async () => {
    const older = await sealed('older');
    await bob.renewSealKey();
    await bob.renewSealKey();
    expect((await send(older)).status).toBe(201);
    expect((await bob.read(only(await bob.receive()))).body.text).toBe('older');
  });

  it('§5: is refused when a number was skipped', async () => {
    const late = await sealed('late');
    await bob.rotateSealKey();
    expectProblem(await send(late), 422, 'unknown_device');
  });

  it('§5: is accepted no longer than that key was in force', async () => {
    const ended = { ...(await statement(2)), notAfter: new Date(Date.now() + 5 * MINUTE).toISOString() };
    expectProblem(await put(ended), 400, 'invalid_request');
    await using clocked = await new TestRelay({ limits: { rates: ROOMY_RATES } }).start();
    const [cy, dee] = await Promise.all([Account.bare(clocked.url), Account.bare(clocked.url)]);
    const late = only(await cy.sealFor(await cy.keysOf(dee.address), cy.text(dee.address, 'late')));
    // Its first key lives for 30 days; the next one comes five minutes before they are over.
    clocked.ahead = 30 * DAY - 5 * MINUTE;
    await dee.login();
    await dee.renewSealKey(clocked.now());
    clocked.ahead = 30 * DAY + MINUTE;
    await cy.login();
    expectProblem(await cy.session.send('POST', '/envelopes', late), 422, 'unknown_device');
  });

  it('§11: in a group counts while the relay accepts it: it is neither stale nor missing', async () => {
    const group = await createGroup(ada, [bob]);
    const post = async () => {
      const envelopes = await sealForGroup(
        ada.session,
        group,
        groupText(group, ada.address, 'Hello', ada),
        ada.device,
      );
      const path = `/groups/${group.id}/envelopes`;
      return ada.session.expect<GroupResults>(200, 'POST', path, { envelopes });
    };
    await bob.renewSealKey();
    expect(await post()).toMatchObject({ accepted: 2, missing: [], stale: [] });
  });

  it('§11: in a group is stale, and the current key missing, when the relay refuses it', async () => {
    const group = await createGroup(ada, [bob]);
    const old = only(group.memberDeviceKeys[bob.address] ?? []);
    await bob.rotateSealKey();
    const envelopes = await sealForGroup(
      ada.session,
      group,
      groupText(group, ada.address, 'Hello', ada),
      ada.device,
    );
    const path = `/groups/${group.id}/envelopes`;
    expect(await ada.session.expect<GroupResults>(200, 'POST', path, { envelopes })).toMatchObject({
      accepted: 1,
      missing: [bob.device.sealKeys.publicKey],
      stale: [old],
    });
  });

  it('§11: in a group shows its reader the text', async () => {
    const group = await createGroup(ada, [bob]);
    const envelopes = await sealForGroup(
      ada.session,
      group,
      groupText(group, ada.address, 'Hello', ada),
      ada.device,
    );
    await bob.renewSealKey();
    await ada.session.expect(200, 'POST', `/groups/${group.id}/envelopes`, { envelopes });
    expect(await bob.read(only(await bob.receive()))).toMatchObject({
      signed: true,
      body: { text: 'Hello' },
    });
    const view = await bob.session.expect<Group>(200, 'GET', `/groups/${group.id}`);
    expect(view.memberDeviceKeys[bob.address]).toEqual([bob.device.sealKeys.publicKey]);
  });
});

describe('the statement of a seal key', () => {
  it('§5: is refused when it names a list above the published one', async () => {
    expectProblem(await put(await statement(2, 2)), 409, 'seal_key_conflict');
    expect((await put(await statement(2, 1))).status).toBe(200);
  });

  it('§14: is accepted again unchanged, and no other with its number', async () => {
    const sealKey = await statement(2);
    expect((await put(sealKey)).status).toBe(200);
    expect((await put(sealKey)).status).toBe(200);
    expectProblem(await put(await statement(2)), 409, 'seal_key_conflict');
    const keys = await ada.session.expect<Keys>(200, 'GET', `/keys/${bob.address}`);
    expect(keys.sealKeys).toEqual([sealKey]);
  });

  it('§5: is refused for a recent key of another account', async () => {
    const { sealKeys } = ada.device;
    await ada.renewSealKey();
    const sealKey = statementOf(bob.address, { ...bob.device, sealKeys }, 2, 1);
    expectProblem(await put(sealKey), 409, 'seal_key_conflict');
  });

  it('§5: may begin up to five minutes ahead of the clock, and no more', async () => {
    expectProblem(await put(await statement(2, 1, Date.now() + 6 * MINUTE)), 400, 'invalid_request');
    expect((await put(await statement(2, 1, Date.now() + 4 * MINUTE))).status).toBe(200);
  });

  it('§5: names the list of its own address that it was made for, and others read that as a claim', async () => {
    await bob.certify(['api']);
    await bob.renewSealKey();
    const keys = await ada.keysOf(bob.address);
    expect(only(keys.sealKeys)).toMatchObject({ listSequence: 2, pq: null, sequence: 2 });
    const claims = ada.remembered(bob.address).claims;
    expect(claims[bob.device.listed.deviceId]).toEqual({ sequence: 2, hash: null });
  });
});

describe('a device without a seal key', () => {
  it('§5: can log in, has no queue, and cannot be sealed to until its key follows', async () => {
    const added = await createDevice('app', false);
    const deviceList = await bob.nextList([], [bob.device, added]);
    await bob.session.expect(200, 'PUT', '/me/devices', { deviceList, sealKeys: [] });
    const [of, path] = [added.listed.deviceId, `/me/devices/${added.listed.deviceId}/seal-key`];
    expect((await ada.keysOf(bob.address)).deviceKeys).toEqual([bob.device.sealKeys.publicKey]);
    const { token } = await bob.renewAs(added);
    expect(token).toMatch(/^ses_/);
    expectProblem(await bob.session.send('GET', `/inbox?device=${of}`), 422, 'unknown_device');
    const sealKey = statementOf(bob.address, added, 1, 2);
    await bob.session.expect(200, 'PUT', path, { sealKey });
    expect((await bob.session.send('GET', `/inbox?device=${of}`)).status).toBe(200);
    expect((await ada.keysOf(bob.address)).deviceKeys).toContain(added.sealKeys.publicKey);
  });
});
