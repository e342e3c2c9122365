import { createGroup as create } from '../group-acts.ts';
import type { Account } from './account.ts';
import { Calls, type Group, type NewApiKey, type NewToken } from './calls.ts';
import { joinGroup } from './group.ts';

/** Credentials for programs: API keys and group tokens, each with its calls. */

const EVERYTHING = ['directory:read', 'envelopes:send', 'inbox:read', 'groups:read', 'groups:send'];

/** Unlocks Developer API access and makes an API key; by default with all entitlements. */
export async function createApiKey(
  account: Account,
  wanted: { name?: string; entitlements?: string[]; expiresAt?: string } = {},
): Promise<NewApiKey & { calls: Calls }> {
  await account.session.expect(200, 'PUT', '/me/developer-access', { enabled: true });
  const body = { name: 'A program', entitlements: EVERYTHING, ...wanted };
  const key = await account.session.expect<NewApiKey>(201, 'POST', '/me/api-keys', body);
  return { ...key, calls: new Calls(account.relay, key.secret) };
}

/** Makes a group with these members: with a password if there is one, else open to all. */
export async function createGroup(
  creator: Account,
  members: Account[] = [],
  wanted: { name?: string; description?: string; password?: string; unsignedBots?: boolean } = {},
): Promise<Group> {
  const { name = 'A group', description, password, unsignedBots } = wanted;
  const settings = {
    ...(description === undefined ? {} : { description }),
    ...(unsignedBots === undefined ? {} : { unsignedBots }),
  };
  const way = password === undefined ? { join: 'open' as const } : { password };
  const id = await create(creator.actor(), { name, settings, ...way });
  for (const member of members) await joinGroup(member, id, password === undefined ? {} : { password });
  return creator.session.expect<Group>(200, 'GET', `/groups/${id}`);
}

/** Creates a group token. */
export async function createToken(
  creator: Account,
  groupId: string,
  name = 'A bot',
): Promise<NewToken & { calls: Calls }> {
  const token = await creator.session.expect<NewToken>(201, 'POST', `/groups/${groupId}/tokens`, { name });
  return { ...token, calls: new Calls(creator.relay, token.secret) };
}
