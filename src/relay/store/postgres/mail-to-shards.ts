/**
 * Mail in distributed tables: the mail for one shard shares a commit, which needs one server and no agreement
 * between several. A request for several shards is accepted when all of them have its mail. Ids are hashes of their
 * content, so a repeated request delivers nothing twice.
 */
import { type AcceptOutcome, type EnvelopesToAccept, StoreUnavailable } from '../records.ts';
import { bytesOf } from '../sizes.ts';
import { bucketOf } from '../sql/queue-keys.ts';
import type { AddressedAccount } from '../sql/reads/accounts.ts';
import { wireAddress } from '../sql/values.ts';
import { MailBatches } from './mail-batches.ts';

/** Simultaneous commits. Each uses a connection, and other work needs some, too. */
const COMMITS = 8;
/** Mail for unknown addresses is stored nowhere: any shard's commit may find that out. */
const NOWHERE = '';

type Accept = (requests: EnvelopesToAccept[]) => Promise<AcceptOutcome[][]>;
type FindAccounts = (addresses: readonly string[]) => Promise<ReadonlyMap<string, AddressedAccount>>;

export class MailToShards {
  readonly #accept: Accept;
  readonly #findAccounts: FindAccounts;
  readonly #shards: readonly string[];
  readonly #mostBytes: number;
  readonly #batches = new Map<string, MailBatches>();
  readonly #next: (() => void)[] = [];
  #commits = 0;
  /** Waiting bytes. */
  bytes = 0;

  /**
   * @param accept makes one commit
   * @param findAccounts finds the existing accounts of addresses in their wire form
   * @param shards by bucket
   * @param mostBytes the most waiting bytes
   */
  constructor(accept: Accept, findAccounts: FindAccounts, shards: readonly string[], mostBytes: number) {
    this.#accept = (requests) => this.#inTurn(() => accept(requests));
    this.#findAccounts = findAccounts;
    this.#shards = shards;
    this.#mostBytes = mostBytes;
  }

  /** Resolves when all of it is durable. @throws StoreUnavailable if too much waits; errors of a commit */
  async add(request: EnvelopesToAccept, bytes: number): Promise<AcceptOutcome[]> {
    if (this.bytes + bytes > this.#mostBytes) {
      throw new StoreUnavailable('too much is waiting to be written');
    }
    this.bytes += bytes;
    try {
      const accounts = await this.#findAccounts(request.envelopes.map(({ to }) => wireAddress(to)));
      const parts = Map.groupBy(request.envelopes.entries(), ([, { to }]) => {
        const account = accounts.get(wireAddress(to));
        return account === undefined ? NOWHERE : (this.#shards[bucketOf(account.id)] ?? NOWHERE);
      });
      const outcomes: AcceptOutcome[] = [];
      const ended = await Promise.allSettled(
        [...parts].map(async ([shard, part]) => {
          const some = { ...request, envelopes: part.map(([, envelope]) => envelope) };
          const found = await this.#batchesOf(shard).add(some, bytesOf(some));
          for (const [place, [index]] of part.entries()) {
            const outcome = found[place];
            if (outcome) outcomes[index] = outcome;
          }
        }),
      );
      const failed = ended.find((each) => each.status === 'rejected');
      if (failed) throw failed.reason;
      return outcomes;
    } finally {
      this.bytes -= bytes;
    }
  }

  #batchesOf(shard: string): MailBatches {
    const known = this.#batches.get(shard);
    if (known) return known;
    const batches = new MailBatches({
      accept: this.#accept,
      maxBytes: Number.POSITIVE_INFINITY,
      maxCommits: 1,
    });
    this.#batches.set(shard, batches);
    return batches;
  }

  async #inTurn<T>(commit: () => Promise<T>): Promise<T> {
    if (this.#commits < COMMITS) this.#commits++;
    else await new Promise<void>((resolve) => void this.#next.push(resolve));
    try {
      return await commit();
    } finally {
      const next = this.#next.shift();
      if (next) next();
      else this.#commits--;
    }
  }
}
