/** The signed-in person on this device: wallet, device key, and the connection to the relay. */

import { RelayApi } from '../../client/api.ts';
import { RelayHttp } from '../../client/http.ts';
import { Registration, type RegistrationParts } from '../../client/identity/registration.ts';
import { type FirstLogin, WalletSession } from '../../client/session.ts';
import { importEd25519, type PrivateKey } from '../../protocol/crypto.ts';
import { deviceIdOf } from '../../protocol/device-id.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import { type Wallet, walletFromKey } from '../../protocol/wallet.ts';
import type { Identity } from '../cache/identity-rows.ts';
import type { Context } from '../context.ts';

export interface Account {
  /** Null if it is not stored here. */
  readonly wallet: Wallet | null;
  readonly address: string;
  readonly deviceKey: PrivateKey;
  /** 16 bytes in base64url. */
  readonly deviceId: string;
  readonly relay: RelayApi;
  readonly session: WalletSession;
}

/** The account of a stored identity at a relay with this base URL. */
export function openAccount(
  { address, walletKey, deviceSeed }: Pick<Identity, 'address' | 'walletKey' | 'deviceSeed'>,
  relayUrl: string,
  firstLogin: FirstLogin = {},
): Account {
  const wallet = walletKey && walletFromKey(walletKey);
  const deviceKey = importEd25519(deviceSeed);
  const deviceId = encodeBase64Url(deviceIdOf(deviceKey.publicKey));
  const http = new RelayHttp(relayUrl);
  const session = new WalletSession(http, { address, wallet, deviceId, deviceKey }, firstLogin);
  const relay = new RelayApi(http, session);
  return { wallet, address, deviceKey, deviceId, relay, session };
}

/**
 * Renews the certificate of the account's device, with the cache as its memory.
 * @param events callbacks for its results
 */
export function registrationOf(
  context: Context,
  account: Account,
  events: Pick<RegistrationParts, 'onListChanged' | 'onMe'> = {},
): Registration {
  const { identity: store, now, own } = context;
  return new Registration({
    store,
    relay: account.relay,
    owner: account,
    deviceType: 'app',
    now,
    ...events,
    onProfileChanged: () => {
      own.profileChanged();
      own.emitChanges();
    },
  });
}
