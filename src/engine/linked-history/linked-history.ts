/** Histories for linked computers: this one sends its own, or receives that of another. */
import { backoffDelay, Sleeper, slowRetryDelay } from '../../base/backoff.ts';
import { describe } from '../../base/error-facts.ts';
import { type FailureData, failedWith, UnverifiableError } from '../../base/failure.ts';
import { logUnexpected } from '../../base/log.ts';
import { isDiskFull } from '../../base/node/disk-full.ts';
import type { Content } from '../../messaging/contents/kind.ts';
import { RelayRefusal, RelayUnreachable } from '../../messaging/relay.ts';
import { sendHidden } from '../../messaging/sending/hidden.ts';
import type { Context } from '../context.ts';
import type { FileThread } from '../files/thread.ts';
import type { DeliveryParts } from '../sending/delivery-parts.ts';
import { sendingParts } from '../sending/delivery-parts.ts';
import { HistoryReceiver } from './receiver.ts';
import { HistorySender } from './sender.ts';

/** Longest wait for room on the disk, in milliseconds. */
const FULL_DISK = 5 * 60_000;
/** Number of quick retries, within about a minute. */
const MAX_QUICK = 8;

interface LinkedHistoryParts extends DeliveryParts {
  thread: FileThread;
  /** Called after a transfer was planned. */
  onPlanned: () => void;
  /** Called after people or groups of a history were merged. */
  onPeople: () => void;
}

/** The device has no key to seal to yet, or the relay does not show it. */
class Unsent extends Error {}

/** Work with its number of successive failures. */
interface Side {
  work(): Promise<number>;
  failures: number;
}

export class LinkedHistory {
  readonly #context: Context;
  readonly #sender: HistorySender;
  readonly #receiver: HistoryReceiver;
  readonly #sending: Side = { failures: 0, work: () => this.#sender.work() };
  readonly #receiving: Side = { failures: 0, work: () => this.#receiver.work() };
  readonly #sleeper: Sleeper;
  #closed = false;
  #done: Promise<void> = Promise.resolve();

  constructor(parts: LinkedHistoryParts) {
    const { context, account, thread, onPlanned, onPeople } = parts;
    this.#context = context;
    this.#sleeper = new Sleeper(context.later);
    const sending = sendingParts(parts);
    const send = async (content: Content, deviceId: string | null) => {
      const options = deviceId === null ? { toAll: true } : { deviceId };
      const isThere = await sendHidden(sending, account.address, content, { automated: false, ...options });
      if (!isThere) throw new Unsent();
    };
    this.#sender = new HistorySender({ context, account, thread, send, onPlanned });
    this.#receiver = new HistoryReceiver({
      ...{ context, thread, own: account.address, send, onPlanned, onPeople },
    });
  }

  /** The reason why nothing is merged; null for none. */
  get receivingProblem(): FailureData | null {
    return this.#receiver.problem;
  }

  start(): void {
    this.#done = this.#run();
  }

  /** Called when there may be something to do: a control, a transferred file, the relay or the own list. */
  wake(): void {
    this.#sleeper.wake();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#sender.close();
    this.#receiver.close();
    this.wake();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      const wait = Math.min(await this.#attempt(this.#sending), await this.#attempt(this.#receiving));
      if (wait > 0 && !this.#closed) await this.#sleeper.sleep(wait);
    }
  }

  async #attempt(side: Side): Promise<number> {
    if (this.#closed) return 0;
    try {
      const wait = await side.work();
      side.failures = 0;
      return wait;
    } catch (error) {
      if (failedWith(error, 'file_stopped')) return 0;
      if (!isExpected(error)) logUnexpected(describe(error));
      side.failures += 1;
      this.#context.emit('history.changed', {});
      const wait = waitAfter(side.failures);
      return isNoRoom(error) ? Math.min(wait, FULL_DISK) : wait;
    }
  }
}

/** Quick retries at first, then slow ones. */
function waitAfter(failures: number): number {
  return failures <= MAX_QUICK ? backoffDelay(failures) : slowRetryDelay(failures - MAX_QUICK);
}

/** The disk of files or of the cache is full. */
function isNoRoom(error: unknown): boolean {
  return failedWith(error, 'disk_full') || isDiskFull(error);
}

function isExpected(error: unknown): boolean {
  return (
    isNoRoom(error) ||
    error instanceof Unsent ||
    error instanceof RelayRefusal ||
    error instanceof RelayUnreachable ||
    error instanceof UnverifiableError ||
    failedWith(error, 'closing', 'file_missing', 'history_newer')
  );
}
