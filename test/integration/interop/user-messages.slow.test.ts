/**
 * A client written from the protocol's page alone talks with a user of our app, and of a program on our library, over the
 * real relay.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import { createApiKey } from '../../interop/by-hand/credentials.ts';
import { only } from '../../interop/by-hand/only.ts';
import { signingKey } from '../../interop/keys.ts';
import { type Body, encodePayload } from '../../interop/payload.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { USERS, type WithApp, type WithProgram } from './with-app.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

describe.each(USERS)('%s', (_user, start) => {
  describe('that has accepted an independent client', () => {
    let pair: WithApp | WithProgram;
    beforeAll(async () => {
      pair = await start(relay.url);
      await pair.meet();
    });
    afterAll(() => pair[Symbol.asyncDispose]());

    const text = (content: string) => pair.ada.text(pair.grace, content);

    it('writes to it, and receives from it', async () => {
      const answer = 'You may. Schön, dass du da bist 🌍';
      expect(await pair.writes(answer)).toEqual({ state: 'sent', problem: null });
      const { body, signed, envelope } = await pair.next((message) => message.body.text === answer);
      expect([signed, envelope.from]).toEqual([true, pair.grace]);
      expect(body).toMatchObject({ sender: pair.grace, peer: pair.ada.address });
      expect(await pair.shownBy(() => pair.write(text('Good')))).toEqual([['text', 'Good', 'verified']]);
    });

    it('shows a message once that was sealed and sent twice', async () => {
      const body = text('only once');
      const twice = async () => {
        for (let time = 0; time < 2; time++) await pair.write(body);
      };
      expect(await pair.shownBy(twice)).toEqual([['text', 'only once', 'verified']]);
    });

    it('reads a copy that names no device key', async () => {
      const copies = await pair.ada.sealFor(await pair.ada.keysOf(pair.grace), text('for any device'));
      const unnamed = copies.map(({ recipientDeviceKey: _key, ...copy }) => copy);
      expect(await pair.shownBy(() => pair.post(unnamed))).toEqual([['text', 'for any device', 'verified']]);
    });

    it('writes to the new seal key after it has changed', async () => {
      expect((await pair.writes('before')).state).toBe('sent');
      await pair.next(({ body }) => body.text === 'before');
      await pair.ada.rotateSealKey();
      expect((await pair.writes('after')).state).toBe('sent');
      const { envelope } = await pair.next(({ body }) => body.text === 'after');
      expect(envelope.recipientDeviceKey).toBe(pair.ada.device.sealKeys.publicKey);
    });

    describe('does not show an invalid signed message', () => {
      const forged: [string, (body: Body) => Body][] = [
        ['names another sender', (body) => ({ ...body, sender: `0x${'12'.repeat(20)}` })],
        ['names another peer', (body) => ({ ...body, peer: pair.ada.address })],
      ];
      it.each(forged)('because it %s', async (_, change) => {
        expect(await pair.shownBy(() => pair.write(change(text('forged'))))).toEqual([]);
      });

      async function postPayload(payload: ReturnType<typeof encodePayload>): Promise<void> {
        const { ada, grace } = pair;
        await pair.post(await ada.sealPayload(await ada.keysOf(grace), payload));
      }

      it('because its device is not in the list', async () => {
        const stranger = await Account.signUp(relay.url);
        const payload = encodePayload('direct', text('forged'), { by: 'device', key: stranger.device.key });
        expect(await pair.shownBy(() => postPayload(payload))).toEqual([]);
      });

      it('because another key signed under the name of a listed device', async () => {
        const key = { ...signingKey(), id: pair.ada.device.key.id };
        const payload = encodePayload('direct', text('forged'), { by: 'device', key });
        expect(await pair.shownBy(() => postPayload(payload))).toEqual([]);
      });
    });
  });

  describe('that receives an unsigned message', () => {
    let pair: WithApp | WithProgram;
    beforeEach(async () => {
      pair = await start(relay.url);
    });
    afterEach(() => pair[Symbol.asyncDispose]());

    /** The view of a text sent with an API key of ada's. */
    async function shownOfUnsigned(): Promise<[string, string, string][]> {
      const { calls } = await createApiKey(pair.ada);
      const body = pair.ada.text(pair.grace, '21 degrees');
      return pair.shownBy(() => pair.write(body, { signed: false, calls }));
    }

    it("shows it when the sender's list allows that, also with a list seen later", async () => {
      await pair.ada.certify(['api']);
      expect(await shownOfUnsigned()).toEqual([['text', '21 degrees', 'api']]);
      await pair.ada.certify([]);
      expect(await shownOfUnsigned()).toEqual([]);
      await pair.ada.certify(['api']);
      expect(await shownOfUnsigned()).toEqual([['text', '21 degrees', 'api']]);
    });

    it('shows nothing when the list allows none', async () => {
      expect(await shownOfUnsigned()).toEqual([]);
    });
  });

  describe('that shares a wallet with an independent client', () => {
    it('continues its list, and copies its messages to it', async () => {
      const ada = await Account.signUp(relay.url);
      await using user = await start(relay.url, undefined, ada.privateKey);
      const { deviceList, deviceKeys } = await ada.keysOf(ada.address);
      expect(deviceList.sequence).toBe(2);
      expect(deviceList.devices).toHaveLength(2);
      expect(deviceList.devices).toContainEqual(ada.device.listed);
      expect(deviceKeys).toContain(ada.device.sealKeys.publicKey);
      await user.meet();
      expect((await user.writes('from the user')).state).toBe('sent');
      const { envelopes } = await ada.poll(20);
      const read = await Promise.all(envelopes.map((envelope) => ada.read(envelope)));
      const copy = only(read.filter(({ body }) => body.text === 'from the user'));
      expect(copy).toMatchObject({
        signed: true,
        envelope: { from: ada.address, toAddress: ada.address },
        body: { peer: user.ada.address },
      });
    });
  });
});
