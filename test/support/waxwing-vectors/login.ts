/**
 * The login text and its signature.
 */
import { toChecksumAddress } from '../../../src/protocol/address.ts';
import { formatSiwe } from '../../../src/protocol/siwe.ts';
import { signText } from '../../../src/protocol/wallet.ts';
import { fixedWallet } from '../identities.ts';
import { hex } from '../vectors.ts';

export function loginVectors() {
  const wallet = fixedWallet(0x11);
  const challenge = {
    domain: 'relay.example:8443',
    uri: 'https://relay.example:8443',
    version: '1' as const,
    chainId: 1,
    statement: 'Sign in to this Waxwing relay.',
    nonce: '0123456789abcdef',
    issuedAt: '2026-11-20T20:00:00.000Z',
    expirationTime: '2026-11-20T20:05:00.000Z',
  };
  const text = formatSiwe({ ...challenge, address: toChecksumAddress(wallet.address) });
  const signature = signText(wallet, text);
  return {
    walletKey: hex(wallet.privateKey),
    challenge,
    text,
    request: { address: wallet.address, nonce: challenge.nonce, signature },
    negative: [
      { why: 'the relay is another', domain: 'relay.example', now: '2026-11-20T20:01:00.000Z', signature },
      { why: 'it has just expired', domain: challenge.domain, now: challenge.expirationTime, signature },
      {
        why: 'the text was signed with a trailing newline',
        domain: challenge.domain,
        now: '2026-11-20T20:01:00.000Z',
        signature: signText(wallet, `${text}\n`),
      },
      {
        why: 'another wallet signed',
        domain: challenge.domain,
        now: '2026-11-20T20:01:00.000Z',
        signature: signText(fixedWallet(0x12), text),
      },
    ],
  };
}
