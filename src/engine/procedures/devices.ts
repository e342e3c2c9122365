/**
 * The person's own devices: listed as certified by the wallet, linked, renewed and removed. Each change
 * requires the wallet: stored here, or typed once.
 */
import { Failure } from '../../base/failure.ts';
import { toName } from '../../base/names.ts';
import { walletFromSecret } from '../../base/wallet-secret.ts';
import type { AddedDevice, OwnDevice } from '../../bridge/shapes/device.ts';
import type { Signing } from '../../client/identity/registration.ts';
import { deviceNameKey } from '../../messaging/contents/kinds/own.ts';
import { decodeTime, encodeBase64Url } from '../../protocol/encoding.ts';
import { findLinkCodeProblem, readLinkCode } from '../identity/link-code.ts';
import { findWaiting, linkWaiting } from '../identity/link-giver.ts';
import { offerHistory } from '../linked-history/begin.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { openChanges } from '../views/device-changes.ts';
import { namedDevice } from '../views/own-changes.ts';
import { answer } from './answer-changes.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `devices.${string}`>;

export function deviceProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;

  const list = async (): Promise<OwnDevice[]> => {
    const { account, directory } = requireOnline(parts);
    const { deviceList, sealKeys } = await directory.contact(account.address, 0);
    const since = new Map(sealKeys.map(({ deviceId, notBefore }) => [deviceId, decodeTime(notBefore)]));
    const listed = context.identity.listedDevices();
    const devices = (deviceList?.devices ?? []).map(({ deviceId, type, validUntil }) => ({
      ...namedDevice(context, listed, deviceId),
      type,
      isThis: deviceId === account.deviceId,
      validUntil: decodeTime(validUntil),
      sealKeySince: since.get(deviceId) ?? null,
      keepsPhrase: deviceId === account.deviceId ? account.wallet !== null : null,
    }));
    return devices.toSorted((one, other) => Number(other.isThis) - Number(one.isThis));
  };

  const added = (): AddedDevice[] => {
    const listed = context.identity.listedDevices();
    return context.ownDevices
      .added()
      .map(({ id, type, at }) => ({ ...namedDevice(context, listed, id), type, at }));
  };

  return {
    'devices.list': list,

    'devices.revoke': async ({ id, secret }) => {
      const online = requireOnline(parts);
      if (id === online.account.deviceId) {
        throw new Failure('own_device');
      }
      await online.registration.remove(id, signingWith(secret));
      online.revokeInvites();
      const { conversations, emit, ownRegisters } = context;
      // Its verifications do not count until the person has decided.
      const ids = ownRegisters.setElsewhere().flatMap(({ key }) => {
        const isAboutPerson = key.startsWith('verified/');
        const conversation = isAboutPerson && conversations.findByAddress(key.slice('verified/'.length));
        return conversation ? [String(conversation.id)] : [];
      });
      if (ids.length > 0) emit('conversations.changed', { ids });
      return list();
    },

    'devices.rename': ({ id, name }) => {
      // A device that left the list meanwhile is not named. The answer shows the list without it.
      if (context.identity.listedDevices()?.has(id)) {
        context.own.set(deviceNameKey(id), toName(name ?? '') || null);
      }
      return list();
    },

    'devices.changes': () => openChanges(context),

    'devices.answerChanges': ({ keys, answer: given }) => answer(parts, keys, given),

    'devices.added': added,

    'devices.confirmAdded': ({ ids }) => {
      context.ownDevices.confirm(ids);
      context.emit('devices.changed', { isNew: false });
      return added();
    },

    'devices.checkCode': ({ code }) => ({ problem: findLinkCodeProblem(code)?.data ?? null }),

    'devices.findWaiting': ({ code }) => findWaiting(requireOnline(parts).account, code),

    'devices.link': async ({ code, secret, withHistory }) => {
      const { account, registration } = requireOnline(parts);
      // Before the new device can ask for it.
      const linked = encodeBase64Url(readLinkCode(code));
      offerHistory(context, linked, withHistory);
      context.ownDevices.expect(linked);
      const { id, name } = await linkWaiting(
        account,
        registration,
        context.identity,
        code,
        signingWith(secret),
      );
      // The name that the person saw before agreeing. They can change it.
      if (name !== '') context.own.set(deviceNameKey(id), name);
      return list();
    },

    'devices.renew': async ({ secret }) => {
      await requireOnline(parts).registration.renew(signingWith(secret));
      context.emit('app.changed', {});
      return list();
    },

    'devices.forgetSecret': async ({ secret }) => {
      const { account } = requireOnline(parts);
      // Removing the wallet requires the written-down secret.
      if (walletFromSecret(secret).wallet.address !== account.address) throw new Failure('secret_of_other');
      context.identity.forgetWallet();
      // The running services have the wallet in memory.
      await requireOnline(parts).close();
      parts.goOnline();
      context.emit('app.changed', {});
      return list();
    },
  };
}

/**
 * @param secret typed by the person for this call; undefined if the wallet is stored here
 * @throws Failure if it makes no wallet
 */
export function signingWith(secret: string | undefined): Signing {
  return secret === undefined ? {} : { wallet: walletFromSecret(secret).wallet };
}
