import { concat, textBytes, u64 } from './bytes.ts';
import { addressBytes, type Fields, idBytes, isFields, isTime, msOf, timeOf } from './forms.ts';
import type { SigningKey } from './keys.ts';
import { must } from './refusal.ts';
import { checksumAddress, type Wallet } from './wallet.ts';

/** The answer of `POST /auth/challenge` (section 4). */
export interface Challenge {
  domain: string;
  uri: string;
  version: '1';
  chainId: 1;
  statement: string;
  nonce: string;
  issuedAt: string;
  expirationTime: string;
}

const isLineOfText = (value: unknown): value is string => typeof value === 'string' && !/[\r\n]/.test(value);

/** Refuses a challenge that is not for the relay at `relay`, of another version or chain, or with a line break. */
export function readChallenge(value: unknown, relay: URL): Challenge {
  must(isFields(value), 'wrong_challenge');
  const { domain, uri, version, chainId, statement, nonce, issuedAt, expirationTime } = value as Fields;
  must(domain === relay.host, 'wrong_challenge', 'another domain');
  must(
    isLineOfText(uri) && URL.canParse(uri) && new URL(uri).host === relay.host,
    'wrong_challenge',
    'another uri',
  );
  must(version === '1' && chainId === 1, 'wrong_challenge', 'another version or chain');
  must(isLineOfText(statement) && isLineOfText(nonce), 'wrong_challenge', 'a line break');
  must(isTime(issuedAt) && isTime(expirationTime), 'wrong_challenge', 'no time');
  return { domain, uri, version, chainId, statement, nonce, issuedAt, expirationTime };
}

/** The text of EIP-4361 that the wallet signs. */
export function challengeText(address: string, challenge: Challenge): string {
  return [
    `${challenge.domain} wants you to sign in with your Ethereum account:`,
    checksumAddress(address),
    '',
    challenge.statement,
    '',
    `URI: ${challenge.uri}`,
    `Version: ${challenge.version}`,
    `Chain ID: ${challenge.chainId}`,
    `Nonce: ${challenge.nonce}`,
    `Issued At: ${challenge.issuedAt}`,
    `Expiration Time: ${challenge.expirationTime}`,
  ].join('\n');
}

/** The body of `POST /auth/session` with the wallet. */
export async function walletLogin(wallet: Wallet, challenge: Challenge) {
  return {
    address: wallet.address,
    nonce: challenge.nonce,
    signature: await wallet.sign(challengeText(wallet.address, challenge)),
  };
}

/** The bytes signed by a device for a login. `domain` is the relay's host, with its port unless it is the default. */
export const sessionBytes = (address: string, deviceId: string, issuedAt: string, domain: string) =>
  concat(
    textBytes('waxwing/session/v1'),
    addressBytes(address),
    idBytes(deviceId),
    u64(msOf(issuedAt)),
    textBytes(domain),
  );

/** The body of `POST /auth/session` with a device. `now` in milliseconds. */
export function deviceLogin(address: string, device: SigningKey, now: number, domain: string) {
  const issuedAt = timeOf(now);
  return {
    address,
    deviceId: device.id,
    issuedAt,
    signature: device.sign(sessionBytes(address, device.id, issuedAt, domain)),
  };
}
