/**
 * The person's own devices: listed as the wallet has certified them, joined by another, and taken out.
 */
import { Failure } from '../../base/failure.ts';
import type { OwnDevice } from '../../bridge/shapes.ts';
import { RelayUnreachable } from '../../client/http.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import { LinkOffer } from '../identity/link-offer.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `devices.${string}`>;

export function deviceProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const list = async (): Promise<OwnDevice[]> => {
    const { account, directory } = requireOnline(parts);
    const { deviceList, sealKeys } = await directory.contact(account.address, 0);
    const since = new Map(sealKeys.map(({ deviceId, notBefore }) => [deviceId, decodeTime(notBefore)]));
    const devices = (deviceList?.devices ?? []).map(({ deviceId, type, validUntil }) => ({
      id: deviceId,
      type,
      isThis: deviceId === account.deviceId,
      validUntil: decodeTime(validUntil),
      sealKeySince: since.get(deviceId) ?? null,
    }));
    return devices.toSorted((one, other) => Number(other.isThis) - Number(one.isThis));
  };

  const offer = new LinkOffer();

  return {
    'devices.list': list,

    'devices.revoke': async ({ id }) => {
      const { account, registration } = requireOnline(parts);
      if (id === account.deviceId) {
        throw new Failure('own_device');
      }
      await registration.remove(id);
      return list();
    },

    'devices.link': async () => {
      const { account } = requireOnline(parts);
      const { identity: rows, now } = parts.context;
      const identity = rows.get();
      if (!identity) throw new Failure('not_set_up');
      const devices = await list();
      return { ...(await offer.make(account, identity, now())), devices };
    },

    'devices.cancelLink': async () => {
      const { account } = requireOnline(parts);
      try {
        return { cancelled: await offer.cancel(account) };
      } catch (error) {
        if (!(error instanceof RelayUnreachable)) throw error;
        throw new Failure('link_not_cancelled');
      }
    },
  };
}
