/**
 * API keys: made, listed, revoked.
 */
import { USUAL_API_KEY_ENTITLEMENTS } from '../../protocol/credentials.ts';
import { decodeTime, encodeTime, encodeTimeOrNull } from '../../protocol/encoding.ts';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { LIST_PAGE } from '../../protocol/limits.ts';
import type { ApiKey } from '../../protocol/schemas/me.ts';
import type { RelayContext } from '../context.ts';
import { quotaReached } from '../limits/quotas.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { makeId, makeSecret } from '../secrets.ts';
import type { CredentialRecord } from '../store/records.ts';
import { type AddEndpoint, unauthorized } from './endpoint.ts';
import { decodeCursor, encodeCursor } from './pagination.ts';

export function addApiKeyRoutes(add: AddEndpoint, context: RelayContext): void {
  const { store, waiters, clock, limits } = context;

  add(ENDPOINTS.createApiKey, async ({ credential, body }) => {
    const { developerApi } = await store.readProfile(credential.account);
    if (!developerApi) {
      throw new ProblemError('forbidden', 'developer_access_locked');
    }
    const createdAt = clock();
    const expiresAt = body.expiresAt ? decodeTime(body.expiresAt) : null;
    if (expiresAt !== null && expiresAt <= createdAt) {
      throw new ProblemError('invalid_request', 'expiry_past');
    }
    const { secret, digest, prefix } = makeSecret('api_key');
    const entitlements = body.entitlements ?? [...USUAL_API_KEY_ENTITLEMENTS];
    const key = { id: makeId(), name: body.name, prefix, entitlements, createdAt, expiresAt };
    const outcome = await store.createApiKey(
      { ...key, digest, account: credential.account, session: credential.id },
      limits.quotas.apiKeys,
    );
    if (outcome === 'session_ended') throw unauthorized();
    if (outcome === 'full') throw quotaReached('apiKeys', limits.quotas);
    return {
      body: { ...key, createdAt: encodeTime(createdAt), expiresAt: encodeTimeOrNull(expiresAt), secret },
    };
  });

  add(ENDPOINTS.listApiKeys, async ({ credential, query }) => {
    const { credentials, next } = await store.listApiKeys(credential.account, {
      limit: query.limit ?? LIST_PAGE.default,
      after: decodeCursor(query.cursor),
    });
    return { body: { apiKeys: credentials.map(describeApiKey), nextCursor: encodeCursor(next) } };
  });

  add(ENDPOINTS.revokeApiKey, async ({ credential, params }) => {
    if (!(await store.revokeApiKey(credential.account, params.id, clock()))) {
      throw new ProblemError('not_found', 'api_key');
    }
    waiters.revoke([params.id]);
    return { body: undefined };
  });
}

function describeApiKey(key: CredentialRecord): ApiKey {
  return {
    id: key.id,
    name: key.name ?? '',
    prefix: key.prefix ?? '',
    entitlements: key.entitlements,
    createdAt: encodeTime(key.createdAt),
    expiresAt: encodeTimeOrNull(key.expiresAt),
    lastUsedAt: encodeTimeOrNull(key.lastUsedAt),
    revokedAt: encodeTimeOrNull(key.revokedAt),
  };
}
