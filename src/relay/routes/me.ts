/** The caller: identity, handle and profile, developer access. */
import { encodeTimeOrNull } from '../../protocol/encoding.ts';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { Limits, Quotas } from '../../protocol/limits.ts';
import { isReservedHandle } from '../../protocol/reserved-handles.ts';
import type { Me } from '../../protocol/schemas/me.ts';
import type { RelayContext } from '../context.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { CredentialRecord } from '../store/records.ts';
import type { AddEndpoint } from './endpoint.ts';

export function addMeRoutes(add: AddEndpoint, context: RelayContext): void {
  const { store, waiters, clock } = context;

  add(ENDPOINTS.getMe, async ({ credential }) => ({ body: await describeMe(context, credential) }));

  add(ENDPOINTS.putHandle, async ({ credential, body }) => {
    const { handle } = body;
    if (isReservedHandle(handle) && context.handleOwners.get(handle) !== credential.address) {
      throw new ProblemError('handle_taken', 'reserved', { handle });
    }
    if (!(await store.claimHandle(credential.account, handle, body.public ?? true, clock()))) {
      throw new ProblemError('handle_taken', 'other_account', { handle });
    }
    return { body: await describeMe(context, credential) };
  });

  add(ENDPOINTS.putProfile, async ({ credential, body }) => {
    await store.setDisplayName(credential.account, body.displayName);
    return { body: await describeMe(context, credential) };
  });

  add(ENDPOINTS.putDeveloperAccess, async ({ credential, body }) => {
    waiters.revoke(await store.setDeveloperAccess(credential.account, body.enabled, clock()));
    return { body: await describeMe(context, credential) };
  });
}

async function describeMe(context: RelayContext, credential: CredentialRecord): Promise<Me> {
  const profile = await context.store.readProfile(credential.account);
  return {
    address: credential.address,
    handle: profile.handle,
    displayName: profile.displayName,
    developerApi: profile.developerApi,
    deletesAt: encodeTimeOrNull(profile.deletesAt),
    credential: {
      type: credential.type,
      id: credential.id,
      name: credential.name,
      prefix: credential.prefix,
      entitlements: credential.entitlements,
      expiresAt: encodeTimeOrNull(credential.expiresAt),
      ...(credential.group && { groupId: credential.group.id }),
    },
    // The schema drops the fields for the operator only.
    limits: Limits.parse(context.limits),
    quotas: Quotas.parse(context.limits.quotas),
  };
}
