/**
 * Sealed copies that the relay has not accepted yet. The texts are not stored: the caller passes them again after a
 * crash, with the same id. Sealed copies are sent unchanged.
 */
import { z } from 'zod';
import type { Copy } from '../../../messaging/sending/outgoing.ts';
import { ListReference } from '../../../protocol/device-list.ts';
import { Bytes, Key, WireTime } from '../../../protocol/primitives.ts';
import { RosterReference } from '../../../protocol/roster/reference.ts';
import { GroupEnvelope } from '../../../protocol/schemas/groups.ts';
import type { Table } from './table.ts';

/** The most unfinished messages; the oldest are dropped. */
const MAX_MESSAGES = 100;
/** The limit of all copies, in characters of ciphertext. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

const Id = Bytes(16);

/** The fields of a body beside its content: the same for all copies. */
export const Frame = z.strictObject({
  seq: z.number().int().nonnegative(),
  sentAt: WireTime,
  writtenAt: WireTime.optional(),
  list: ListReference.optional(),
  /** Only in groups. */
  roster: RosterReference.optional(),
  /** Names the files of an attachment: the beginning of SHA-256 of their keys. */
  files: Bytes(16).optional(),
});
export type Frame = z.infer<typeof Frame>;

export const OutgoingEntry = z.union([
  z.strictObject({ message: Id, to: z.string().max(128), frame: Frame }),
  z.strictObject({ message: Id, sealed: z.array(GroupEnvelope) }),
  z.strictObject({ message: Id, accepted: z.array(Key) }),
  z.strictObject({ message: Id, removed: z.array(Key) }),
  z.strictObject({ message: Id, isDone: z.literal(true) }),
]);
export type OutgoingEntry = z.infer<typeof OutgoingEntry>;

interface Kept {
  to: string;
  frame: Frame;
  copies: Map<string, Copy>;
}

export class OutgoingMessages implements Table<OutgoingEntry> {
  readonly schema = OutgoingEntry;
  readonly #messages = new Map<string, Kept>();
  /** Messages being sent now: never dropped. */
  readonly #underWay = new Set<string>();
  #characters = 0;

  /**
   * Null for a message that was not started, or is done.
   * @param to the recipient's address, or the group's id
   */
  frameOf(id: string, to: string): Frame | null {
    const kept = this.#messages.get(id);
    return kept?.to === to ? kept.frame : null;
  }

  copiesOf(id: string): readonly Copy[] {
    return [...(this.#messages.get(id)?.copies.values() ?? [])];
  }

  /** Marks the message as being sent, until the returned function is called. */
  start(id: string): () => void {
    this.#underWay.add(id);
    return () => {
      this.#underWay.delete(id);
      this.#dropOldest();
    };
  }

  apply(entry: OutgoingEntry): void {
    const kept = this.#messages.get(entry.message);
    if ('frame' in entry) this.#begin(entry.message, entry.to, entry.frame);
    else if (!kept) return;
    else if ('isDone' in entry) this.#drop(entry.message, kept);
    else if ('sealed' in entry) {
      for (const envelope of entry.sealed) this.#add(kept, envelope);
      this.#dropOldest();
    } else if ('accepted' in entry) for (const key of entry.accepted) accept(kept, key);
    else for (const key of entry.removed) this.#remove(kept, key);
  }

  entries(): OutgoingEntry[] {
    return [...this.#messages].flatMap(([message, { to, frame, copies }]): OutgoingEntry[] => {
      const all = [...copies.values()];
      const accepted = all.filter((copy) => copy.accepted);
      return [
        { message, to, frame },
        { message, sealed: all.map(({ envelope }) => envelope) },
        { message, accepted: accepted.map(({ envelope }) => envelope.recipientDeviceKey) },
      ];
    });
  }

  #begin(id: string, to: string, frame: Frame): void {
    const before = this.#messages.get(id);
    if (before?.to === to) {
      before.frame = frame;
      return;
    }
    if (before) this.#drop(id, before);
    this.#messages.set(id, { to, frame, copies: new Map() });
    this.#dropOldest();
  }

  #add(kept: Kept, envelope: GroupEnvelope): void {
    this.#remove(kept, envelope.recipientDeviceKey);
    kept.copies.set(envelope.recipientDeviceKey, { envelope, accepted: false });
    this.#characters += envelope.ciphertext.length;
  }

  #remove(kept: Kept, key: string): void {
    const copy = kept.copies.get(key);
    if (copy && kept.copies.delete(key)) this.#characters -= copy.envelope.ciphertext.length;
  }

  #drop(id: string, kept: Kept): void {
    for (const key of [...kept.copies.keys()]) this.#remove(kept, key);
    this.#messages.delete(id);
  }

  #dropOldest(): void {
    for (const [id, kept] of this.#messages) {
      if (this.#messages.size <= MAX_MESSAGES && this.#characters <= MAX_CHARACTERS) return;
      if (!this.#underWay.has(id)) this.#drop(id, kept);
    }
  }
}

function accept(kept: Kept, key: string): void {
  const copy = kept.copies.get(key);
  if (copy) copy.accepted = true;
}
