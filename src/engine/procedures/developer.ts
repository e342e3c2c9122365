/** Developer API access: enabled by the wallet, and API keys. */
import { Failure } from '../../base/failure.ts';
import { toName } from '../../base/names.ts';
import type { ApiKey, DeveloperAccess } from '../../bridge/shapes/developer-access.ts';
import { decodeTime, encodeTime } from '../../protocol/encoding.ts';
import { toLabel } from '../../protocol/label.ts';
import type { ApiKey as WireApiKey } from '../../protocol/schemas/me.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { signingWith } from './devices.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `developer.${string}`>;

const DAY = 86_400_000;

export function developerProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;

  const describe = async (): Promise<DeveloperAccess> => {
    const { relay } = requireOnline(parts).account;
    const [me, apiKeys] = await Promise.all([relay.me(), relay.apiKeys()]);
    const isAllowed = context.identity.get()?.deviceList?.unsigned.some((kind) => kind === 'api') ?? false;
    return {
      unlocked: me.developerApi && isAllowed,
      docsUrl: `${relay.baseUrl}/`,
      keys: apiKeys.map(toApiKey),
    };
  };
  const setAccess = async (enabled: boolean) => {
    const { relay } = requireOnline(parts).account;
    const { developerApi } = await relay.saveDeveloperAccess(enabled);
    context.identity.saveProfile({ ...context.identity.profile(), developerApi });
  };

  /** @throws Failure before any change, if the secret is invalid or another account's */
  const signing = (secret: string | undefined) => {
    const signed = signingWith(secret);
    const { address } = requireOnline(parts).account;
    if (signed.wallet && signed.wallet.address !== address) throw new Failure('secret_of_other');
    return signed;
  };

  return {
    'developer.get': describe,

    'developer.unlock': async ({ secret }) => {
      // The wallet signs first: messages of a key without its certificate would be refused by everyone.
      await requireOnline(parts).registration.ensure(['api'], signing(secret));
      await setAccess(true);
      return describe();
    },

    'developer.lock': async ({ secret }) => {
      const signed = signing(secret);
      await setAccess(false);
      await requireOnline(parts).registration.forbid(['api'], signed);
      return describe();
    },

    'developer.createKey': async ({ name: typed, entitlements, days }) => {
      const { relay } = requireOnline(parts).account;
      const name = toName(typed);
      if (name === '') {
        throw new Failure('key_name_empty');
      }
      if (entitlements.length === 0) {
        throw new Failure('key_useless');
      }
      const { secret, ...key } = await relay.call('createApiKey', {
        body: {
          name,
          entitlements: [...new Set(entitlements)],
          ...(days !== null && { expiresAt: encodeTime(context.now() + days * DAY) }),
        },
      });
      return {
        key: toApiKey({ ...key, lastUsedAt: null, revokedAt: null }),
        secret,
        relayUrl: relay.baseUrl,
      };
    },

    'developer.revokeKey': async ({ id }) => {
      await requireOnline(parts).account.relay.call('revokeApiKey', { params: { id } });
      return describe();
    },
  };
}

function toApiKey(key: WireApiKey): ApiKey {
  return {
    id: key.id,
    name: toLabel(key.name),
    prefix: key.prefix,
    entitlements: key.entitlements,
    createdAt: decodeTime(key.createdAt),
    expiresAt: timeOrNull(key.expiresAt),
    lastUsedAt: timeOrNull(key.lastUsedAt),
    revokedAt: timeOrNull(key.revokedAt),
  };
}

function timeOrNull(text: string | null): number | null {
  return text === null ? null : decodeTime(text);
}
