import { toBase64url } from './bytes.ts';
import {
  DAY_MS,
  type DeviceList,
  isDeviceList,
  type NextList,
  proveList,
  signNextList,
} from './device-list.ts';
import { isFields, isTime } from './forms.ts';
import type { SigningKey } from './keys.ts';
import { signingKey } from './keys.ts';
import { deviceLogin, readChallenge, walletLogin } from './login.ts';
import { mustAnswer, type Relay } from './relay.ts';
import { newSealSecret, type SealSecret } from './seal.ts';
import { type SealKey, signSealKey } from './seal-key.ts';
import type { Wallet } from './wallet.ts';

/** A session at a relay (section 4). */
export interface Session {
  relay: Relay;
  expiresAt: string;
}

async function startSession(relay: Relay, address: string, body: object): Promise<Session> {
  const { body: answer } = await relay.call('/auth/session', { method: 'POST', body, statuses: [201] });
  const { token, expiresAt } = answer;
  mustAnswer(typeof token === 'string' && /^ses_[A-Za-z0-9_-]{43}$/.test(token), 'token');
  mustAnswer(isTime(expiresAt) && answer.address === address, 'session');
  return { relay: relay.with(token), expiresAt };
}

/** Logs in with the wallet; `more` may have an invitation, or `reopen`. */
export async function logInWithWallet(
  relay: Relay,
  wallet: Wallet,
  more: { invitation?: string; reopen?: true } = {},
): Promise<Session> {
  const call = { method: 'POST' as const, body: { address: wallet.address } };
  const { body } = await relay.call('/auth/challenge', call);
  const login = await walletLogin(wallet, readChallenge(body, relay.url));
  return startSession(relay, wallet.address, { ...login, ...more });
}

/** Logs in with a device that the address certifies. */
export const logInWithDevice = (
  relay: Relay,
  address: string,
  device: SigningKey,
  now: number,
): Promise<Session> => startSession(relay, address, deviceLogin(address, device, now, relay.url.host));

/** A device of an address, with its seal keys. It is stored durably before any part of it is sent. */
export interface OwnDevice {
  address: string;
  key: SigningKey;
  /** The newest own list. */
  list: DeviceList;
  /** The newest statement, and the private halves, the newest last. */
  statement: SealKey | null;
  secrets: SealSecret[];
}

/** Number of private keys that are kept: old ones still open the copies in the queue. */
const SECRETS_MOST = 4;

/** Creates the next seal key of a device, and stores it before it is published. */
export async function nextSealKey(device: OwnDevice, now: number, suite: 1 | 2 = 2): Promise<SealKey> {
  const secret = await newSealSecret(suite);
  device.statement = signSealKey(
    device.address,
    device.key,
    {
      key: secret.key,
      pqKey: secret.pqKey,
      listSequence: device.list.sequence,
      sequence: (device.statement?.sequence ?? 0) + 1,
    },
    now,
  );
  device.secrets = [...device.secrets, secret].slice(-SECRETS_MOST);
  return device.statement;
}

const newestPqKey = (device: OwnDevice): string | null => {
  const pqKey = device.secrets.at(-1)?.pqKey;
  return pqKey === null || pqKey === undefined ? null : toBase64url(pqKey);
};

/** Publishes the device's list with its newest seal key. */
export async function publishList(relay: Relay, device: OwnDevice): Promise<void> {
  const pqKey = newestPqKey(device);
  const body = {
    deviceList: device.list,
    sealKeys: device.statement === null ? [] : [device.statement],
    ...(pqKey === null || device.statement === null ? {} : { pqKeys: [pqKey] }),
  };
  const answer = await relay.call('/me/devices', { method: 'PUT', body });
  mustAnswer(answer.body.address === device.address && isDeviceList(answer.body.deviceList), 'keys');
}

/** Publishes only the newest seal key. The same statement may be sent again. */
export async function publishSealKey(relay: Relay, device: OwnDevice): Promise<void> {
  const pqKey = newestPqKey(device);
  const body = { sealKey: device.statement, ...(pqKey === null ? {} : { pqKey }) };
  const path = `/me/devices/${device.key.id}/seal-key`;
  const answer = await relay.call(path, { method: 'PUT', body });
  mustAnswer(answer.body.address === device.address, 'keys');
}

/** The first device of a wallet: its list and its seal key, both published, and its session. */
export async function openAccount(
  relay: Relay,
  wallet: Wallet,
  options: { now: number; invitation?: string; suite?: 1 | 2; type?: 'app' | 'api'; unsigned?: 'api'[] },
): Promise<{ device: OwnDevice; session: Session }> {
  const { now, invitation, suite, type = 'app', unsigned = [] } = options;
  const first = await logInWithWallet(relay, wallet, invitation === undefined ? {} : { invitation });
  const key = signingKey();
  const list = await signNextList(wallet, null, { devices: [{ key: key.key, type }], unsigned }, now);
  await proveList(wallet.address, list, now);
  const device: OwnDevice = { address: wallet.address, key, list, statement: null, secrets: [] };
  await nextSealKey(device, now, suite);
  await publishList(first.relay, device);
  return { device, session: await logInWithDevice(relay, wallet.address, key, now) };
}

/** Signs and publishes the next list of an address. `device` continues with it. */
export async function changeList(
  relay: Relay,
  wallet: Wallet,
  device: OwnDevice,
  next: NextList,
  now: number,
): Promise<void> {
  device.list = await signNextList(wallet, device.list, next, now);
  await publishList(relay, device);
}

/**
 * The devices of the next list: the previous ones and `added`. Those with less than 60 days left are renewed.
 */
export const devicesOfNext = (
  list: DeviceList,
  added: NextList['devices'] = [],
  now = Date.now(),
): NextList['devices'] => [
  ...list.devices.map(({ key, type, validUntil }) =>
    Date.parse(validUntil) - now < 60 * DAY_MS ? { key, type } : { key, type, validUntil },
  ),
  ...added,
];

/** Takes a handle. */
export async function claimHandle(relay: Relay, handle: string, isPublic = true): Promise<void> {
  const body = isPublic ? { handle } : { handle, public: false };
  const answer = await relay.call('/me/handle', { method: 'PUT', body });
  mustAnswer(answer.body.handle === handle, 'handle');
}

/** The answer of `GET /me`, verified against the own address and credential. */
export async function introspect(relay: Relay, address: string | null) {
  const { body } = await relay.call('/me');
  const { credential, limits } = body;
  mustAnswer(typeof body.address === 'string' && (address === null || body.address === address), 'address');
  mustAnswer(isFields(credential) && isFields(limits), 'me');
  const { prefix, groupId } = credential;
  mustAnswer(prefix === null || relay.credential?.startsWith(String(prefix)) === true, 'another credential');
  return {
    address: body.address,
    handle: body.handle,
    limits,
    entitlements: credential.entitlements,
    groupId: typeof groupId === 'string' ? groupId : null,
    retentionSeconds: Number(limits.retentionSeconds),
  };
}

/** Unlocks Developer API access. The device list has a separate field for it, `unsigned`. */
export const allowPrograms = (relay: Relay, enabled = true) =>
  relay.call('/me/developer-access', { method: 'PUT', body: { enabled } });

/** Creates an API key; its secret is returned once. */
export async function makeApiKey(relay: Relay, name: string, entitlements?: string[]): Promise<string> {
  const body = entitlements === undefined ? { name } : { name, entitlements };
  const answer = await relay.call('/me/api-keys', { method: 'POST', body, statuses: [201] });
  const { secret } = answer.body;
  mustAnswer(typeof secret === 'string' && /^sk_live_[A-Za-z0-9_-]{43}$/.test(secret), 'secret');
  return secret;
}
