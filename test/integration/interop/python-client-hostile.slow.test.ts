/**
 * The client in Python and a relay that lies: it verifies everything that docs/protocol.md requires.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Bot, newBot, waitingTexts } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { HostileRelay, type Passing } from '../../support/hostile-relay/proxy.ts';
import { PYTHON, PythonClient } from '../../support/python-client.ts';

type Json = Record<string, unknown>;

describe.skipIf(!PYTHON)('a client in Python with a hostile relay', () => {
  let hostile: HostileRelay;
  let bea: Bot;
  let pia: PythonClient;
  let address: string;
  let session: string;
  let number = 0;
  const folder = temporaryFolder();
  beforeAll(async () => {
    hostile = await HostileRelay.start();
  });
  beforeEach(async () => {
    number++;
    bea = await newBot(hostile, { handle: `bea_${number}` });
    pia = new PythonClient(hostile.url, folder.path, `pia-${number}`);
    address = await pia.register(`pia_${number}`);
    session = hostile.requests.at(-1)?.credential ?? '';
  });
  afterEach(async () => {
    hostile.answerTruthfully();
    await pia[Symbol.asyncDispose]();
  });
  afterAll(async () => {
    await hostile[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  /** Lies only to the client in Python, about the answers of one call. */
  function lieAbout(method: string, path: RegExp, change: (body: Json) => Json): void {
    hostile.lie((passing: Passing) => {
      if (passing.method !== method || !path.test(passing.path) || passing.status >= 300) return undefined;
      if (passing.credential !== '' && passing.credential !== session) return undefined;
      return change(structuredClone(passing.body) as Json);
    });
  }

  const beaAt = () => `@bea_${number}`;

  test('signs no login to another relay', async () => {
    lieAbout('POST', /auth\/challenge$/, (body) => ({ ...body, domain: 'relay.example' }));
    await expect(pia.call('logInWithWallet')).rejects.toThrow('a login to another relay');
    expect(hostile.requests.at(-1)?.path).toMatch(/challenge$/);
  });

  test('seals to no key without the device’s signature, and to no device without the wallet’s', async () => {
    const { key: foreign } = (await pia.call<{ key: string }[]>('keys', address))[0] as { key: string };
    lieAbout('GET', /keys\/0x/, (body) => ({
      ...body,
      sealKeys: (body.sealKeys as Json[]).map((one) => ({ ...one, key: foreign })),
    }));
    await expect(pia.call('send', beaAt(), 'secret')).rejects.toThrow('no device to seal to');
    hostile.answerTruthfully();
    lieAbout('GET', /keys\/0x/, (body) => ({
      ...body,
      deviceList: { ...(body.deviceList as Json), unsigned: ['bots'] },
    }));
    await expect(pia.call('send', beaAt(), 'secret')).rejects.toThrow('unproven');
    expect(hostile.sent).toEqual([]);
  });

  test('refuses keys of another address as an answer', async () => {
    const other = await newBot(hostile);
    const keys = await hostile.relay.call('getKeys', {
      token: other.identity.apiKey ?? '',
      params: { address: other.identity.address },
    });
    lieAbout('GET', /keys\/0x/, () => keys.body as unknown as Json);
    await expect(pia.call('send', beaAt(), 'secret')).rejects.toThrow('keys of another address');
  });

  test('seals nothing while the relay shows an older device list than before', async () => {
    const shown: Json[] = [];
    lieAbout('GET', /keys\/0x/, (body) => {
      if (body.address !== bea.identity.address) return body;
      shown.push(body);
      return shown.length > 2 ? (shown[0] as Json) : body;
    });
    await pia.call('keys', beaAt());
    await newBot(hostile, { wallet: bea.identity.wallet ?? undefined });
    await pia.call('keys', beaAt());
    expect(await pia.call('known', bea.identity.address)).toMatchObject({
      pin: { sequence: 2 },
      shown: true,
    });
    await expect(pia.call('send', beaAt(), 'secret')).rejects.toThrow('waiting');
    expect(await pia.call('known', bea.identity.address)).toMatchObject({
      pin: { sequence: 2 },
      shown: false,
    });
    expect(hostile.sent).toEqual([]);
  });

  test('seals nothing while a device has named a newer list than the relay shows', async () => {
    const shown: Json[] = [];
    lieAbout('GET', /keys\/0x/, (body) => {
      if (body.address !== bea.identity.address) return body;
      shown.push(body);
      return shown[0] as Json;
    });
    await pia.call('keys', beaAt());
    await newBot(hostile, { wallet: bea.identity.wallet ?? undefined });
    await waitingTexts(bea);
    await bea.client.send(`@pia_${number}`, 'I have a new device');
    expect(await pia.receive()).toMatchObject([{ text: 'I have a new device', proof: 'signed' }]);
    await expect(pia.call('send', beaAt(), 'secret')).rejects.toThrow('waiting');
    hostile.answerTruthfully();
    await pia.call('send', beaAt(), 'now to both');
    expect(await waitingTexts(bea)).toContain('now to both');
  });

  test('refuses another id as an answer to its envelope, and repeats the same copy', async () => {
    lieAbout('POST', /\/envelopes$/, (body) => ({
      ...body,
      results: (body.results as Json[]).map((one) => ({ ...one, id: 'A'.repeat(43) })),
    }));
    await expect(pia.call('send', beaAt(), 'once')).rejects.toThrow('the id of another envelope');
    hostile.answerTruthfully();
    expect(await pia.call('resend')).toEqual(['duplicate']);
    expect(await waitingTexts(bea)).toEqual(['once']);
  });

  test('sets aside envelopes routed under another name, and shows duplicates once', async () => {
    await bea.client.send(`@pia_${number}`, 'from Bea');
    const other = await newBot(hostile);
    lieAbout('GET', /\/inbox/, (body) => {
      const [first, ...others] = body.envelopes as Json[];
      const forged = { ...first, from: other.identity.address };
      return first ? { ...body, envelopes: [forged, first, first, ...others] } : body;
    });
    expect(await pia.receive()).toMatchObject([
      { setAside: 'does not open' },
      { text: 'from Bea', from: bea.identity.address },
      { setAside: 'seen before' },
    ]);
    hostile.answerTruthfully();
    expect(await pia.receive()).toEqual([]);
  });

  test('posts nothing while the relay shows a member outside of the chain, or an older end', async () => {
    const id = await pia.call<string>('createGroup', 'Birds', 'open');
    const old = await pia.call<{ epoch: number }>('group', id);
    const stranger = bea.identity.address;
    lieAbout('GET', /groups\/[^/]+$/, (body) => ({
      ...body,
      members: [...(body.members as string[]), stranger],
    }));
    await expect(pia.call('post', id, 'secret')).rejects.toThrow('other members');
    hostile.answerTruthfully();
    await pia.call('changeGroup', id, { name: 'Bees' });
    lieAbout('GET', /groups\/[^/]+$/, (body) => ({
      ...body,
      roster: { ...(body.roster as Json), epoch: old.epoch },
    }));
    await expect(pia.call('post', id, 'secret')).rejects.toThrow('another end');
  });

  test('keeps a message that names a hidden entry, and shows it when the entry appears', async () => {
    const id = await pia.call<string>('createGroup', 'Birds', 'open');
    await bea.client.joinGroup(id);
    const { epoch } = await pia.call<{ epoch: number }>('group', id);
    await pia.call('changeGroup', id, { admins: [bea.identity.address] });
    await bea.client.changeGroup(id, { name: 'Bees' });
    const { messageId } = await bea.client.sendToGroup(id, 'we are bees now');
    lieAbout('GET', /\/roster\?/, (body) => ({ ...body, entries: [], more: false }));
    expect(await pia.receive()).toEqual([{ held: messageId, from: bea.identity.address }]);
    hostile.answerTruthfully();
    expect(await pia.receive()).toMatchObject([{ text: 'we are bees now', id: messageId }]);
    expect(await pia.call('group', id)).toMatchObject({ name: 'Bees', epoch: epoch + 2 });
  });

  test('learns a hidden removal from its author, and seals nothing while it is hidden', async () => {
    await using otto = new PythonClient(hostile.url, folder.path, `otto-${number}`);
    const remover = await otto.register(`otto_${number}`);
    const id = await otto.call<string>('createGroup', 'Birds', 'open');
    await bea.client.joinGroup(id);
    await pia.call('join', id);
    let hides = false;
    const views: Json[] = [];
    lieAbout('GET', /\/roster\?/, (body) => (hides ? { ...body, entries: [], more: false } : body));
    lieAbout('GET', /groups\/[^/]+$/, (body) => {
      if (!hides) views.push(body);
      return views.at(-1) as Json;
    });
    await pia.call('group', id);
    hides = true;
    await otto.call('changeGroup', id, { remove: [bea.identity.address] });
    expect(await pia.call('receive')).toEqual([{ hello: remover }]);
    await expect(pia.call('post', id, 'secret')).rejects.toThrow('another end');
    hides = false;
    expect(await pia.call('group', id)).toMatchObject({ members: [address, remover].sort() });
  });

  test('folds no entry that was changed in transit', async () => {
    const { id } = await bea.client.createGroup('Birds', { open: true });
    lieAbout('GET', /\/roster\?/, (body) => ({
      ...body,
      entries: (body.entries as Json[]).map((one, i) => (i ? { ...one, signature: 'A'.repeat(86) } : one)),
    }));
    await expect(pia.call('join', id)).rejects.toMatchObject({ reason: 'wrong_signature' });
  });
});
