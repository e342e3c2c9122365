/**
 * A client in Python, written from docs/protocol.md and the vectors alone: checked against the vectors, and with a relay and the
 * library for bots.
 */
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RelayClient } from '../../../src/client/index.ts';
import { BotProgram } from '../../interop/programs.ts';
import { Relay } from '../../interop/relay.ts';
import { type Bot, newBot, waiting, waitingTexts } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { payFullScrypt } from '../../support/full-scrypt.ts';
import { PYTHON, PythonClient, pythonFile } from '../../support/python-client.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

payFullScrypt();

if (!PYTHON)
  console.warn('The client in Python is not tested: there is no Python with the package cryptography.');

const VECTORS = fileURLToPath(new URL('../../../docs/vectors', import.meta.url));

describe.skipIf(!PYTHON)('a client in Python', () => {
  const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
  const folder = temporaryFolder();
  let bea: Bot;
  let pia: PythonClient;
  let address: string;
  beforeAll(async () => {
    await relay.start();
    bea = await newBot(relay, { handle: 'bea' });
    pia = new PythonClient(relay.url, folder.path, 'pia');
    address = await pia.register('pia');
  });
  afterAll(async () => {
    await pia[Symbol.asyncDispose]();
    await relay[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test('computes and judges all vectors of its features', async () => {
    const { stdout } = await promisify(execFile)(PYTHON ?? '', [
      '-B',
      pythonFile('check_vectors.py'),
      VECTORS,
    ]);
    expect(stdout).toMatch(/^sealing, padding, .* rosters: as published\.\n$/);
  });

  test('writes JSON in the one form of entries as JavaScript does', async () => {
    const texts = [
      '[0, -0, 1.0, 1e21, 1e20, 123456789012345678901, 1.5e-6, 1e-7, 1.25e300, -3.75, 5e-324]',
      '{"b":1,"10":2,"2":3,"01":4,"a":5,"4294967295":6,"4294967294":7}',
      String.raw`"\u2028 \u007f \u001F \n \/ \ud83d\ude00 \uD800"`,
    ];
    expect(await pia.call('oneForm', texts)).toEqual(texts.map((text) => JSON.stringify(JSON.parse(text))));
  });

  test('logs in with wallet and device, and publishes a list and a seal key with proofs', async () => {
    await pia.call('logInWithDevice');
    expect(await pia.call('me')).toMatchObject({ address, handle: 'pia' });
    expect(await bea.client.keys('@pia')).toMatchObject({ address });
    expect(await pia.call('keys', address)).toMatchObject([{ sequence: 1, pq: null }]);
  });

  test('verifies the keys of the library, and writes to it', async () => {
    const [statement] = await pia.call<{ deviceId: string }[]>('keys', '@bea');
    expect(statement).toMatchObject({ sequence: expect.any(Number), listSequence: 1 });
    expect(await pia.call('known', bea.identity.address)).toMatchObject({ shown: true, fork: null });
    const id = await pia.call('send', '@bea', 'Grüße aus Python');
    expect(await waiting(bea)).toMatchObject([
      { id, from: address, text: 'Grüße aus Python', proof: 'signed', groupId: null },
    ]);
  });

  test('opens and verifies messages of the library, and acknowledges them', async () => {
    const { messageId } = await bea.client.send('@pia', 'Hello from the library 🐦');
    const from = bea.identity.address;
    expect(await pia.receive()).toEqual([
      {
        from,
        peer: address,
        id: messageId,
        kind: 'text',
        text: 'Hello from the library 🐦',
        proof: 'signed',
        asRequest: false,
      },
    ]);
    expect(await pia.receive()).toEqual([]);
  });

  test('opens messages for a new seal key, over a restart', async () => {
    await pia.call('rotate');
    await bea.client.send('@pia', 'to the new key');
    await pia[Symbol.asyncDispose]();
    pia = new PythonClient(relay.url, folder.path, 'pia');
    expect(await pia.receive()).toMatchObject([{ text: 'to the new key' }]);
  });

  test('creates an open group, which the library joins; both post', async () => {
    const id = await pia.call<string>('createGroup', 'Pythons', 'open');
    await bea.client.joinGroup(id);
    expect(await pia.call('group', id)).toMatchObject({
      name: 'Pythons',
      members: [address, bea.identity.address].sort(),
      creator: address,
      epoch: 3,
    });
    expect(await pia.call('post', id, 'to all')).toMatchObject({ accepted: 1, held: [] });
    expect(await waiting(bea)).toMatchObject([
      { groupId: id, from: address, text: 'to all', proof: 'signed' },
    ]);
    await bea.client.sendToGroup(id, 'from the library');
    expect(await pia.receive()).toMatchObject([{ groupId: id, text: 'from the library', proof: 'signed' }]);
    await pia.call('changeGroup', id, { name: 'Snakes', admins: [bea.identity.address] });
    expect(await bea.client.group(id)).toMatchObject({ name: 'Snakes' });
  });

  test('joins an open group of the library, and leaves it', async () => {
    const { id } = await bea.client.createGroup('Birds', { open: true });
    expect(await pia.call('join', id)).toMatchObject({ name: 'Birds', creator: bea.identity.address });
    await pia.call('post', id, 'hello birds');
    expect(await waiting(bea)).toMatchObject([{ groupId: id, text: 'hello birds' }]);
    await pia.call('leave', id);
    expect(await bea.client.group(id)).toMatchObject({ members: [bea.identity.address] });
    await expect(pia.call('group', id)).rejects.toMatchObject({ code: 'not_a_member' });
  });

  test('joins by password, and not by another one', async () => {
    const { id } = await bea.client.createGroup('Secret birds', { password: 'correct horse' });
    await expect(pia.call('join', id, 'wrong horse')).rejects.toMatchObject({ code: 'wrong_password' });
    expect(await pia.call('join', id, 'correct horse')).toMatchObject({ join: 'password' });
    await bea.client.sendToGroup(id, 'by password');
    expect(await pia.receive()).toMatchObject([{ groupId: id, text: 'by password' }]);
  });

  test('creates a group by password, which the library joins by another spelling of it', async () => {
    const id = await pia.call<string>('createGroup', 'Cellar', 'password', 'ﬁne horse');
    await bea.client.joinGroup(id, { password: 'fine horse' });
    expect(await pia.call('group', id)).toMatchObject({ members: [address, bea.identity.address].sort() });
  });

  test('invites by ticket, and joins by the ticket of the library', async () => {
    const ours = await pia.call<string>('createGroup', 'Attic', 'invite');
    await pia.call('invite', ours, '@bea');
    const [invitation] = await waiting(bea);
    expect(invitation).toMatchObject({ from: address, kind: 'invite', body: { group: ours, name: 'Attic' } });
    await bea.client.joinGroup(ours, { ticket: invitation?.body.ticket as never });
    expect(await pia.call('group', ours)).toMatchObject({ members: [address, bea.identity.address].sort() });

    const { id: theirs } = await bea.client.createGroup('Nest');
    await expect(pia.call('join', theirs)).rejects.toMatchObject({ code: 'roster_refused' });
    await bea.client.inviteToGroup(theirs, '@pia');
    const [shown] = await pia.receive();
    expect(shown).toMatchObject({ kind: 'invite', group: theirs, name: 'Nest' });
    expect(await pia.call('join', theirs, null, null, shown?.ticket)).toMatchObject({ name: 'Nest' });
  });

  test('two of them: one makes a link, the other joins by it, is removed, and cannot return by it', async () => {
    const id = await pia.call<string>('createGroup', 'Linked', 'invite');
    const { x: key, d: seed } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    const expires = new Date(Date.now() + 86_400_000).toISOString();
    await pia.call('changeGroup', id, { links: [{ key, expires }] });
    await using otto = new PythonClient(relay.url, folder.path, 'otto');
    const other = await otto.register('otto');
    expect(await otto.call('join', id, null, seed)).toMatchObject({ name: 'Linked' });
    await otto.call('post', id, 'by link');
    expect(await pia.receive()).toMatchObject([{ groupId: id, text: 'by link', from: other }]);
    await pia.call('changeGroup', id, { remove: [other] });
    await expect(otto.call('join', id, null, seed)).rejects.toMatchObject({
      reason: 'ticket_needed',
    });
  });

  test('follows a new device of another person, and seals to both', async () => {
    const tablet = await newBot(relay, { wallet: bea.identity.wallet ?? undefined });
    await waiting(tablet);
    await pia.call('send', '@bea', 'to both of you');
    for (const device of [bea, tablet]) expect(await waitingTexts(device)).toContain('to both of you');
    expect(await pia.call('known', bea.identity.address)).toMatchObject({
      pin: { sequence: 2 },
      earlier: { 1: expect.any(String) },
    });
  });

  test('shows unsigned messages only where the list of their sender allows them', async () => {
    const ann = await newBot(relay);
    const strict = await newBot(relay, { allowUnsigned: [] });
    for (const { identity } of [ann, strict]) {
      const program = new RelayClient({ relay: relay.url, secret: identity.apiKey ?? '' });
      await program.send('@pia', 'unsigned');
    }
    expect(await pia.receive()).toMatchObject([
      { from: ann.identity.address, text: 'unsigned', proof: 'api' },
      { setAside: 'not proven: api' },
    ]);
  });

  test('shows signed posts of a bot under its name, and posts of a group token if the group allows them', async () => {
    const { id } = await bea.client.createGroup('Builds', { open: true });
    await pia.call('join', id);
    const { secret, botKey } = await bea.client.createBot(id, 'ci');
    await new RelayClient({ relay: relay.url, secret, botKey: botKey ?? '' }).sendToGroup(
      id,
      'the build is green',
    );
    // Our library would refuse to post a message that is never shown.
    const unsigned = await BotProgram.open(new Relay(relay.url, secret), null);
    await unsigned.post({ kind: 'text', text: 'signed by nobody' });
    expect(await pia.receive()).toMatchObject([
      { groupId: id, text: 'the build is green', proof: 'bot', bot: 'ci', from: bea.identity.address },
      { setAside: 'by a group token, and the group does not allow it' },
    ]);
    await bea.client.changeGroup(id, { unsignedBots: true });
    await new RelayClient({ relay: relay.url, secret }).sendToGroup(id, 'signed by nobody');
    expect(await pia.receive()).toMatchObject([{ text: 'signed by nobody', proof: 'token' }]);
  });
});
