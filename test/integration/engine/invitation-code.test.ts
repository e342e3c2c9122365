/**
 * First run at a relay that does not admit everyone.
 */
import { expect, test } from 'vitest';
import { toChecksumAddress } from '../../../src/protocol/address.ts';
import { encodeTime } from '../../../src/protocol/encoding.ts';
import { generatePhrase, walletFromPhrase } from '../../../src/protocol/wallet.ts';
import { runAdminCommand } from '../../../src/relay/admin/client.ts';
import { callEngine, linkEngines } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

/** Finishes the set-up of the same new account on each call. */
async function newAccount(engine: LocalEngine): Promise<(invitation?: string) => Promise<unknown>> {
  const { words, places } = await callEngine(engine, 'setup.newPhrase', {});
  const answers = places.map((place) => words[place - 1] ?? '');
  const identity = { kind: 'new' as const, answers };
  const relay = { kind: 'embedded' as const };
  return (invitation) =>
    callEngine(engine, 'setup.finish', { relay, identity, ...(invitation !== undefined && { invitation }) });
}

test('a new account sends its invitation code; one without a valid code gets the reason and another try', async () => {
  await using relay = await new TestRelay({ admin: true, registration: 'code' }).start();
  await using engine = await new LocalEngine(relay.url).start();
  const check = await callEngine(engine, 'relay.check', { url: relay.url });
  expect(check).toMatchObject({ ok: true, registration: 'code' });
  const finish = await newAccount(engine);
  await expect(finish()).rejects.toMatchObject({ code: 'invitation_required' });
  await expect(finish(`inv_${'A'.repeat(43)}`)).rejects.toMatchObject({ code: 'invitation_required' });
  const expires = encodeTime(relay.now() + 3_600_000);
  const { code } = await runAdminCommand(relay.folder.path, 'invite', { uses: 1, expires });
  await finish(` ${code} `);
  expect((await callEngine(engine, 'app.state', {})).phase).toBe('needs-handle');
});

test('an account recovered here sends a code, which is spent once', async () => {
  await using relay = await new TestRelay({ admin: true, registration: 'code' }).start();
  await using engine = await new LocalEngine(relay.url).start();
  const place = { relay: { kind: 'embedded' as const } };
  const secret = generatePhrase();
  await expect(callEngine(engine, 'setup.otherDevices', { ...place, secret })).rejects.toMatchObject({
    code: 'invitation_required',
  });
  const expires = encodeTime(relay.now() + 3_600_000);
  const { code: invitation } = await runAdminCommand(relay.folder.path, 'invite', { uses: 1, expires });
  expect(await callEngine(engine, 'setup.otherDevices', { ...place, secret, invitation })).toEqual([]);
  const identity = { kind: 'import' as const, secret };
  await callEngine(engine, 'setup.finish', { ...place, invitation, identity });
  expect((await callEngine(engine, 'app.state', {})).phase).toBe('needs-handle');
});

test('a computer that is linked needs no code', async () => {
  await using relay = await new TestRelay({ admin: true, registration: 'code' }).start();
  await using old = await new LocalEngine(relay.url).start();
  await using linked = await new LocalEngine(relay.url).start();
  const finish = await newAccount(old);
  const expires = encodeTime(relay.now() + 3_600_000);
  await finish((await runAdminCommand(relay.folder.path, 'invite', { uses: 1, expires })).code);
  await linkEngines(old, linked);
  expect(await callEngine(linked, 'devices.list', {})).toHaveLength(2);
});

test('an account is recovered at a server with a list once its address is added', async () => {
  await using relay = await new TestRelay({ admin: true, registration: 'list' }).start();
  await using engine = await new LocalEngine(relay.url).start();
  const secret = generatePhrase();
  const { address } = walletFromPhrase(secret);
  const look = () => callEngine(engine, 'setup.otherDevices', { relay: { kind: 'embedded' }, secret });
  await expect(look()).rejects.toMatchObject({
    code: 'address_not_listed',
    parameters: { address: toChecksumAddress(address) },
  });
  await runAdminCommand(relay.folder.path, 'admit', { address, admitted: true });
  expect(await look()).toEqual([]);
});

test('a person who is not on the list gets the address for the administrator, and continues with it', async () => {
  await using relay = await new TestRelay({ admin: true, registration: 'list' }).start();
  await using engine = await new LocalEngine(relay.url).start();
  const finish = await newAccount(engine);
  const refusal = await finish().catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: 'address_not_listed',
    parameters: { address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) },
  });
  const { address } = (refusal as { parameters: { address: string } }).parameters;
  await runAdminCommand(relay.folder.path, 'admit', { address: address.toLowerCase(), admitted: true });
  expect(await finish()).toMatchObject({ address });
});
