/** Limits on transfers of blobs in progress: their number per account and in total, and the time of each. */
import { PART_BYTES } from '../../protocol/blob/layout.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { AccountKey } from '../store/records.ts';

/** Simultaneous uploads of parts and downloads of blobs of one account. */
const MAX_FOR_ACCOUNT = 8;
/** The same in total. Each uses a connection, a file or a call to the bucket, and a few pieces of 64 KiB. */
const MAX_IN_ALL = 256;
/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = 2;

/** The caller of a transfer. */
export interface Transferring {
  account: AccountKey;
  /** The name of the caller's network; null where it has no meaning. */
  network: string | null;
}

interface Transfer {
  account: AccountKey;
  /** The network, or the account where it has no meaning. */
  place: string;
  cut(): void;
}

export class Transfers {
  /** Oldest first. */
  readonly #open = new Set<Transfer>();
  readonly #partTime: number;

  /** @param partTime the longest transfer of one part, in milliseconds */
  constructor(partTime: number) {
    this.#partTime = partTime;
  }

  /** The number in progress. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Begins a transfer. If there are too many in total, the network or account with the most loses its oldest one, unless the caller
   * has about as many: slow transfers of one network, with any number of accounts, do not block the others.
   * @param bytes to be transferred
   * @param gone aborted when the caller disconnects
   * @returns a signal that is aborted when the transfer must end; `end` to be called when it has ended
   * @throws ProblemError rate_limited, unavailable
   */
  begin(
    { account, network }: Transferring,
    bytes: number,
    gone: AbortSignal,
  ): { signal: AbortSignal; end: () => void } {
    const own = [...this.#open].filter((transfer) => transfer.account === account);
    if (own.length >= MAX_FOR_ACCOUNT) {
      throw new ProblemError('rate_limited', 'traffic', {}, { retryAfter: RETRY_AFTER });
    }
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(), this.#partTime * Math.ceil(bytes / PART_BYTES));
    const end = () => {
      clearTimeout(timer);
      this.#open.delete(transfer);
    };
    const cut = () => {
      end();
      ended.abort();
    };
    const transfer: Transfer = { account, place: network ?? `account ${account}`, cut };
    if (this.#open.size >= MAX_IN_ALL && !this.#makeRoom(transfer)) {
      clearTimeout(timer);
      throw new ProblemError('unavailable', 'transfers', {}, { retryAfter: RETRY_AFTER });
    }
    this.#open.add(transfer);
    return { signal: AbortSignal.any([gone, ended.signal]), end };
  }

  /**
   * Ends a transfer of a network with at least two more than that of the next one, or else of such an account. Not in a network with
   * fewer: otherwise many accounts of one network would each end a transfer of other networks.
   */
  #makeRoom({ place, account }: Transfer): boolean {
    const places = Map.groupBy(this.#open, (transfer) => transfer.place);
    const sizeOf = (each: string) => places.get(each)?.length ?? 0;
    const accounts = Map.groupBy(this.#open, (transfer) => transfer.account);
    const others = [...this.#open].filter(
      (transfer) => transfer.place === place || sizeOf(transfer.place) > sizeOf(place),
    );
    return (
      cutOldest(places, sizeOf(place)) ||
      cutOldest(
        Map.groupBy(others, (transfer) => transfer.account),
        accounts.get(account)?.length ?? 0,
      )
    );
  }
}

/** Ends the oldest transfer of the largest group, if that has at least two more than `own`. */
function cutOldest(groups: ReadonlyMap<unknown, Transfer[]>, own: number): boolean {
  const [most = []] = [...groups.values()].sort((one, other) => other.length - one.length);
  if (most.length <= own + 1) return false;
  most[0]?.cut();
  return true;
}
