/**
 * The content of a chat with many reactions: messages, and controls about them.
 */
import type { Ref } from '../../src/messaging/contents/fields.ts';
import type { MessageBody } from '../../src/messaging/sending/outgoing.ts';
import { encodeTime } from '../../src/protocol/encoding.ts';
import type { GroupBody } from '../../src/protocol/payload.ts';
import { DEVICE, digestOf, idOf } from './cached-device.ts';
import { BEGINNING, DAY, RosterChain, type RosterFixture, rosterFixture } from './rosters.ts';

const EMOJI = ['👍', '❤️', '🎂'];
/** Time of its first message. */
export const WRITTEN = BEGINNING + 10 * DAY;

/** A group of this number of people. The first is its owner. */
export function groupOf(count: number): { chain: RosterChain; people: RosterFixture[] } {
  const people = Array.from({ length: count }, (_, index) => rosterFixture(`p${index}`, 4 * index + 1));
  const [owner, ...others] = people as [RosterFixture, ...RosterFixture[]];
  const chain = new RosterChain(people, owner).add(owner, { kind: 'change', join: 'open' });
  for (const person of others) chain.add(person, { kind: 'join' });
  return { chain, people };
}

export class FullChat {
  readonly #chain: RosterChain;
  readonly #addresses: readonly string[];
  #count = 0;

  constructor({ chain, people }: { chain: RosterChain; people: readonly RosterFixture[] }) {
    this.#chain = chain;
    this.#addresses = people.map(({ address }) => address);
  }

  #next(by: number): { id: string; sender: string; sentAt: string; seq: number } {
    this.#count++;
    const sender = this.#addresses[by % this.#addresses.length] ?? '';
    return { id: idOf(this.#count), sender, sentAt: encodeTime(WRITTEN + this.#count), seq: this.#count };
  }

  /** The common fields of a group's bodies. */
  #inGroup(by: number) {
    const { groupId, state } = this.#chain;
    return { ...this.#next(by), groupId, roster: { epoch: state.epoch, hash: state.hash ?? '' } };
  }

  /** @param by place of the author among the people @param seq number that their device gives it */
  message(by: number, seq: number, text: string, replyTo?: Ref): GroupBody {
    return { ...this.#inGroup(by), seq, kind: 'text', text, ...(replyTo && { replyTo }) };
  }

  reaction(by: number, target: Ref): GroupBody {
    return { ...this.#inGroup(by), kind: 'reaction', target, emoji: [EMOJI[by % EMOJI.length] ?? ''] };
  }

  /** Receipts of a person for the numbers of the owner's device. */
  receipt(by: number, { delivered, read }: { delivered: number; read: number }): MessageBody {
    return {
      ...this.#next(by),
      peer: this.#addresses[0] ?? '',
      kind: 'receipt',
      group: this.#chain.groupId,
      delivered: { [DEVICE]: delivered },
      ...(read > 0 && { read: { [DEVICE]: read } }),
    };
  }
}

export const refTo = (body: MessageBody): Ref => ({
  sender: body.sender,
  id: body.id,
  digest: digestOf(body),
});
