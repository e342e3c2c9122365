import { expect, it } from 'vitest';
import { CREDENTIAL_LEASE, CredentialLeases } from '../../../src/relay/credential-leases.ts';
import { digestTextOf } from '../../../src/relay/secrets.ts';
import type { CredentialRecord } from '../../../src/relay/store/records.ts';

const NOW = 1_000_000;

function credential(id: string, more: Partial<CredentialRecord> = {}): CredentialRecord {
  return {
    id,
    type: 'session',
    account: 1,
    address: `0x${'11'.repeat(20)}`,
    name: null,
    prefix: null,
    entitlements: [],
    group: null,
    createdAt: 0,
    expiresAt: NOW + 60_000,
    lastUsedAt: null,
    revokedAt: null,
    suspended: false,
    byWallet: false,
    ...more,
  };
}

const secretOf = (index: number) => `secret ${index}`;
const keyOf = (index: number) => digestTextOf(secretOf(index));

/** Leases over a table that a test changes, with a count of look-ups. */
function setUp(...records: CredentialRecord[]) {
  const table = new Map(records.map((each, index) => [keyOf(index), each]));
  const state = { lookups: 0, clock: 0, onLookup: async () => {} };
  const store = {
    async findCredential(digest: Uint8Array): Promise<CredentialRecord | null> {
      state.lookups++;
      const found = table.get(Buffer.from(digest).toString('latin1')) ?? null;
      await state.onLookup();
      return found;
    },
  };
  const leases = new CredentialLeases(store, () => state.clock);
  const find = (index: number, time = NOW) => leases.findCredential(secretOf(index), time);
  return { table, state, leases, find };
}

it('looks a credential up once in a second', async () => {
  const { state, find } = setUp(credential('a'));
  for (let call = 0; call < 5; call++) expect((await find(0))?.id).toBe('a');
  expect(state.lookups).toBe(1);
  state.clock = CREDENTIAL_LEASE;
  await find(0);
  expect(state.lookups).toBe(2);
});

it('counts the second from the start of the look-up', async () => {
  const { table, state, find } = setUp(credential('a'));
  state.onLookup = async () => {
    state.clock += 900;
  };
  await find(0);
  table.clear();
  state.clock += 100;
  expect(await find(0)).toBeNull();
});

it('stops serving an ended credential at once, and no other', async () => {
  const { table, leases, find } = setUp(credential('a'), credential('b'));
  await find(0);
  await find(1);
  table.clear();
  leases.end(['a']);
  expect(await find(0)).toBeNull();
  expect((await find(1))?.id).toBe('b');
});

it('does not store a credential that ended during its look-up', async () => {
  const { table, state, leases, find } = setUp(credential('a'));
  state.onLookup = async () => {
    table.clear();
    leases.end(['a']);
  };
  await find(0);
  expect(await find(0)).toBeNull();
});

it('does not serve a credential after its expiry', async () => {
  const { table, find } = setUp(credential('a', { expiresAt: NOW + 10 }));
  await find(0);
  table.clear();
  expect((await find(0, NOW + 9))?.id).toBe('a');
  expect(await find(0, NOW + 10)).toBeNull();
});

it('stores neither suspended nor missing credentials', async () => {
  const { table, find } = setUp(credential('a', { suspended: true }));
  await find(0);
  await find(1);
  table.set(keyOf(0), credential('a')).set(keyOf(1), credential('b'));
  expect((await find(0))?.suspended).toBe(false);
  expect((await find(1))?.id).toBe('b');
});

it('stores a bounded number for any number of callers', async () => {
  const { table, state, leases } = setUp();
  for (let index = 0; index <= 10_000; index++) {
    table.set(keyOf(index), credential(`${index}`));
    await leases.findCredential(secretOf(index), NOW);
  }
  state.lookups = 0;
  await leases.findCredential(secretOf(0), NOW);
  expect(state.lookups).toBe(1);
});
