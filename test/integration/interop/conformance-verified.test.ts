/**
 * The verified flags of handles and groups, which the operator of a relay sets: the specification's §2.2 and §4.3.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WaxwingProcess } from '../../e2e/support/waxwing.ts';
import { Account } from '../../interop/by-hand/account.ts';
import type { GroupPage, HandlePage, HandleRecord } from '../../interop/by-hand/calls.ts';
import { createGroup } from '../../interop/by-hand/credentials.ts';
import { addTo } from '../../interop/by-hand/group.ts';
import { only } from '../../interop/by-hand/only.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { waxwing } from '../../support/waxwing-command.ts';

const folder = temporaryFolder();
const relay = new WaxwingProcess(['relay', '--data', folder.path, '--port', '0', '--log', 'off']);
let owner: Account;

beforeAll(async () => {
  owner = await Account.signUp(await relay.url());
});
afterAll(async () => {
  await relay.stop();
  folder[Symbol.dispose]();
});

async function admin(verb: 'verify' | 'unverify', what: string): Promise<void> {
  const outcome = await waxwing(['relay', 'admin', verb, what, '--data', folder.path]);
  if (outcome.code !== 0) throw new Error(outcome.stderr);
}

describe('the verified flag', () => {
  it('§4.3: of a handle is reported by look-up and search, and searched for', async () => {
    await owner.session.expect(200, 'PUT', '/me/handle', { handle: 'kingfisher' });
    const lookUp = () => owner.session.expect<HandleRecord>(200, 'GET', '/handles/kingfisher');
    const search = async (verified: number) =>
      (await owner.session.expect<HandlePage>(200, 'GET', `/handles?q=king&verified=${verified}`)).handles;
    expect((await lookUp()).verified).toBe(false);
    expect([await search(1), await search(0)]).toEqual([[], [await lookUp()]]);

    await admin('verify', '@kingfisher');
    expect((await lookUp()).verified).toBe(true);
    expect([await search(1), await search(0)]).toEqual([[await lookUp()], []]);

    await owner.session.expect(200, 'PUT', '/me/handle', { handle: 'kingfisher_2' });
    await owner.session.expect(200, 'PUT', '/me/handle', { handle: 'kingfisher' });
    expect((await lookUp()).verified).toBe(false);
  });

  it('§2.2: of a group is reported by the directory, until the group has another name', async () => {
    const { id } = await createGroup(owner, [], { name: 'Kingfishers' });
    const isVerified = async () =>
      only((await owner.session.expect<GroupPage>(200, 'GET', '/groups?q=Kingfisher')).groups).verified;
    expect(await isVerified()).toBe(false);
    await admin('verify', id);
    expect(await isVerified()).toBe(true);
    await addTo(owner, id, 'change', { description: 'Blue ones' });
    expect(await isVerified()).toBe(true);
    await addTo(owner, id, 'change', { name: 'Kingfishers too' });
    expect(await isVerified()).toBe(false);
    await admin('verify', id);
    await admin('unverify', id);
    expect(await isVerified()).toBe(false);
  });
});
