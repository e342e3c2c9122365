/**
 * First run at a relay that does not admit everyone.
 */
import { expect, test } from 'vitest';
import { encodeTime } from '../../../src/protocol/encoding.ts';
import { askRelay } from '../../../src/relay/admin/client.ts';
import { callEngine, TestEngine } from '../../support/engine.ts';
import { TestRelay } from '../../support/relay.ts';

/** What finishes the set-up of a new account; the same account each time it is called. */
async function newAccount(engine: TestEngine): Promise<(invitation?: string) => Promise<unknown>> {
  const { words, ask } = await callEngine(engine, 'setup.newPhrase', {});
  const answers = ask.map((place) => words[place - 1] ?? '');
  const identity = { kind: 'new' as const, answers };
  const relay = { kind: 'embedded' as const };
  return (invitation) =>
    callEngine(engine, 'setup.finish', { relay, identity, ...(invitation !== undefined && { invitation }) });
}

test('a new account brings its invitation code, and one without a code that counts is told so and may try again', async () => {
  await using relay = await new TestRelay({ admin: true, registration: 'code' }).start();
  await using engine = await new TestEngine(relay.url).start();
  const check = await callEngine(engine, 'relay.check', { url: relay.url });
  expect(check).toMatchObject({ ok: true, registration: 'code' });
  const finish = await newAccount(engine);
  await expect(finish()).rejects.toMatchObject({ code: 'invitation_required' });
  await expect(finish(`inv_${'A'.repeat(43)}`)).rejects.toMatchObject({ code: 'invitation_required' });
  const expires = encodeTime(relay.now() + 3_600_000);
  const { code } = await askRelay(relay.folder.path, 'invite', { uses: 1, expires });
  await finish(` ${code} `);
  expect((await callEngine(engine, 'app.state', {})).phase).toBe('needs-handle');
});

test('who is not on the list is told the address that the administrator has to add, and goes on with it', async () => {
  await using relay = await new TestRelay({ admin: true, registration: 'list' }).start();
  await using engine = await new TestEngine(relay.url).start();
  const finish = await newAccount(engine);
  const refusal = await finish().catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: 'address_not_listed',
    parameters: { address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) },
  });
  const { address } = (refusal as { parameters: { address: string } }).parameters;
  await askRelay(relay.folder.path, 'admit', { address: address.toLowerCase(), admitted: true });
  expect(await finish()).toMatchObject({ address });
});
