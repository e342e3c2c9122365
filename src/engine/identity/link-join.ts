/**
 * The new computer's side of a link: makes its device key, shows a code that commits to it, and polls for the
 * offer (docs/protocol.md, 'Linking a device').
 */
import { Failure } from '../../base/failure.ts';
import { RelayHttp, RelayRefusal } from '../../client/http.ts';
import { listsBefore, listsBetween } from '../../client/identity/own-list.ts';
import { importEd25519, randomBytes } from '../../protocol/crypto.ts';
import { deviceIdOf } from '../../protocol/device-id.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import { toLabel } from '../../protocol/label.ts';
import { formatLinkCode, LINK_PREFIX } from '../../protocol/linking/code.ts';
import { findOfferFault, LINK_LIFE, type LinkOffer } from '../../protocol/linking/offer.ts';
import { openAccount } from './account.ts';
import { unlessMissing } from './link-giver.ts';

const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'macOS',
  linux: 'Linux',
  win32: 'Windows',
};

export interface ShownCode {
  code: string;
  /** Contents of its QR code. */
  uri: string;
  /** Milliseconds since 1970, by the clock of this computer. */
  expiresAt: number;
}

/** A proven account that this computer may join, before the person has agreed. */
export interface JoinableAccount {
  address: string;
  /** As stated by the relay. */
  handle: string | null;
  deviceSeed: Uint8Array;
  relayUrl: string;
  /** Device lists of the address, ascending, up to one with this computer. */
  lists: DeviceList[];
}

/** One code at a time. Its key is in memory only, until the person has agreed to join. */
export class LinkJoin {
  #waiting: { deviceSeed: Uint8Array; relayUrl: string } | null = null;
  #found: JoinableAccount | null = null;

  /**
   * Announces at the relay that this computer waits.
   * @param deviceSeed seed from an interrupted join; a new one by default
   * @throws RelayRefusal, RelayUnreachable
   */
  async start(relayUrl: string, deviceSeed: Uint8Array | null, now: number): Promise<ShownCode> {
    const seed = deviceSeed ?? randomBytes(32);
    const { publicKey } = importEd25519(seed);
    const coded = deviceIdOf(publicKey);
    this.#found = null;
    await new RelayHttp(relayUrl).call('putNewDevice', {
      params: { deviceId: encodeBase64Url(coded) },
      body: { key: encodeBase64Url(publicKey), name: nameOfThis() },
    });
    this.#waiting = { deviceSeed: seed, relayUrl };
    const code = formatLinkCode(coded);
    return { code, uri: LINK_PREFIX + code, expiresAt: now + LINK_LIFE };
  }

  /**
   * Fetches the offer, and proves it. Null if there is none yet.
   * @param now milliseconds since 1970
   * @throws Failure link_unproven if the relay does not show the offered list; RelayRefusal, RelayUnreachable
   */
  async look(now: number): Promise<JoinableAccount | null> {
    if (this.#found || !this.#waiting) return this.#found;
    const { deviceSeed, relayUrl } = this.#waiting;
    const { publicKey } = importEd25519(deviceSeed);
    const params = { deviceId: encodeBase64Url(deviceIdOf(publicKey)) };
    const offer = await unlessMissing(new RelayHttp(relayUrl).call('getLinkOffer', { params }));
    if (!offer) return null;
    this.#found = await proveOffer(offer, deviceSeed, relayUrl, now);
    return this.#found;
  }

  /**
   * The account that the person has agreed to join.
   * @param address wire address
   * @throws Failure link_gone if another one, or none, was found
   */
  agreed(address: string): JoinableAccount {
    if (this.#found?.address !== address) throw new Failure('link_gone');
    return this.#found;
  }

  forget(): void {
    this.#waiting = null;
    this.#found = null;
  }
}

/** This computer's name for itself. It does not name its owner: the relay can read it. */
function nameOfThis(): string {
  return `Waxwing (${SYSTEMS[process.platform] ?? process.platform})`;
}

/** Logs in as the device in the offered list, and reads the lists from that one to the newest. */
async function proveOffer(
  offer: LinkOffer,
  deviceSeed: Uint8Array,
  relayUrl: string,
  now: number,
): Promise<JoinableAccount> {
  const { address, list: offered } = offer;
  const { relay, deviceKey } = openAccount({ address, walletKey: null, deviceSeed }, relayUrl);
  const published = await relay.keys(address).catch((error) => {
    // The relay passed on the offer of an account that does not admit this computer.
    throw error instanceof RelayRefusal && error.code === 'unauthorized'
      ? new Failure('link_unproven')
      : error;
  });
  const newest = published?.deviceList;
  if (!newest) throw new Failure('link_unproven');
  const before = { sequence: offered.sequence - 1 };
  const lists = [...(await listsBetween(relay, address, before, newest)), newest];
  if (findOfferFault(offer, deviceKey.publicKey, lists, now) !== null) throw new Failure('link_unproven');
  const [first = newest] = lists;
  const earlier = await listsBefore(relay, address, first);
  const { handle } = await relay.me();
  return {
    address,
    handle: handle === null ? null : toLabel(handle),
    deviceSeed,
    relayUrl,
    lists: [...earlier, ...lists],
  };
}
