/**
 * The side of a link that has the identity: makes a code and leaves at the relay what it opens.
 */
import { RelayRefusal } from '../../client/http.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import {
  deriveLink,
  formatLinkCode,
  LINK_LIFE,
  LINK_PREFIX,
  newLinkSecret,
  sealLink,
} from '../../protocol/link.ts';
import type { Identity } from '../cache/identity-rows.ts';
import type { Account } from './account.ts';

export interface OfferedLink {
  code: string;
  /** What a QR code of it says. */
  uri: string;
  /** Milliseconds since 1970, by the clock of this computer. */
  expiresAt: number;
}

/** At most one code of this app waits at a time. The code itself is kept nowhere. */
export class LinkOffer {
  #waiting: string | null = null;

  /**
   * Makes a code; one that waits is cancelled.
   * @throws RelayRefusal, RelayUnreachable
   */
  async make(account: Account, identity: Identity, now: number): Promise<OfferedLink> {
    await this.cancel(account);
    const secret = newLinkSecret();
    const { id } = deriveLink(secret);
    const walletSecret = identity.phrase ?? Buffer.from(identity.walletKey).toString('hex');
    const sealed = sealLink(secret, { relay: account.relay.baseUrl, secret: walletSecret });
    // Remembered before the relay is asked: its answer may be lost after it has taken the link.
    this.#waiting = id;
    await account.relay.call('putLink', { params: { id }, body: { sealed: encodeBase64Url(sealed) } });
    const code = formatLinkCode(secret);
    return { code, uri: LINK_PREFIX + code, expiresAt: now + LINK_LIFE };
  }

  /**
   * Takes the code back that waits, if there is one.
   * @returns whether it could be: false if it was taken before, or has expired
   * @throws RelayRefusal, RelayUnreachable
   */
  async cancel(account: Account): Promise<boolean> {
    if (this.#waiting === null) return true;
    const isCancelled = await deleteLink(account, this.#waiting);
    this.#waiting = null;
    return isCancelled;
  }
}

/** False if the relay has no such link any more. */
async function deleteLink(account: Account, id: string): Promise<boolean> {
  try {
    await account.relay.call('deleteLink', { params: { id } });
    return true;
  } catch (error) {
    if (error instanceof RelayRefusal && error.code === 'not_found') return false;
    throw error;
  }
}
