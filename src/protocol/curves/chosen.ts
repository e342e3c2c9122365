/** The curves of this process: libsodium if it loads here and passes the known answers, else Node's own. */
import { encodeBase64Url } from '../encoding.ts';
import type { Curves } from './curves.ts';
import { nodeCurves } from './node.ts';
import { loadSodium } from './sodium.ts';

/** Known answers for private keys of 32 bytes 1 and 32 bytes 2, and a message of 32 bytes 1: made with noble. */
const KNOWN = {
  shared: 'LtdqtUmx5zwDHrSclEjweYrqgbaYJ5oMPcPkn7_EuVM',
  signature: 'Cmybv-l7W4GvpHtTZjphh0mT4PyQeVokZdARz0LPbTUNqlrvxfz79457HUirafp0aP-KWcnLWbU1_nsSyBtJBg',
};

/** Reports whether a backend returns the known answers here. */
export function isWorking({
  importX25519,
  x25519,
  importEd25519,
  signEd25519,
  verifyEd25519,
}: Curves): boolean {
  try {
    const [first, second] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const key = importEd25519(first);
    const signature = signEd25519(key, first);
    return (
      encodeBase64Url(x25519(importX25519(first), importX25519(second).publicKey)) === KNOWN.shared &&
      encodeBase64Url(signature) === KNOWN.signature &&
      verifyEd25519(key.publicKey, first, signature) &&
      !verifyEd25519(key.publicKey, second, signature)
    );
  } catch {
    return false;
  }
}

/** The first of these backends that works, else the last one. */
export function choose(first: Curves | null, last: Curves): Curves {
  return first && isWorking(first) ? first : last;
}

export const curves: Curves = choose(loadSodium(), nodeCurves);
