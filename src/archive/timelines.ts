/** The messages of chats in a backup, in the order of their timelines. Disappearing messages are left out. */
import { type BackupHistory, type RawMessage, validMessage } from './backup-history.ts';
import type { MessageRecord } from './history-records.ts';

/** A message whose place in the timeline is not that of its arrival. */
interface LatePlace {
  place: number;
  late: number;
  arrival: number;
  block: number;
}

/** The blocks with messages of a chat. */
export interface ChatPlaces {
  blocks: number[];
  /** In the order of the timeline. */
  late: LatePlace[];
}

const isLasting = ({ lifetime }: RawMessage) => lifetime === null;

/** Reads all blocks once. @param ids of chats @throws Failure of reading */
export async function placesOfChats(
  history: BackupHistory,
  ids: ReadonlySet<string>,
): Promise<Map<string, ChatPlaces>> {
  const found = new Map<string, ChatPlaces>();
  for (let block = 0; block < history.blocks; block++) {
    for (const { conversation, arrival, place, late } of (await history.messages(block)).filter(isLasting)) {
      if (typeof conversation !== 'string' || !ids.has(conversation)) continue;
      const places = found.get(conversation) ?? { blocks: [], late: [] };
      found.set(conversation, places);
      if (places.blocks.at(-1) !== block) places.blocks.push(block);
      if (Number(late) > 0)
        places.late.push({ place: Number(place), late: Number(late), arrival: Number(arrival), block });
    }
  }
  for (const { late } of found.values())
    late.sort(
      (one, other) => one.place - other.place || one.late - other.late || one.arrival - other.arrival,
    );
  return found;
}

/** Messages and events of a chat, oldest first. @throws Failure of reading */
export async function* timelineOf(
  history: BackupHistory,
  id: string,
  { blocks, late }: ChatPlaces,
): AsyncGenerator<MessageRecord> {
  let next = 0;
  let last: { block: number; messages: RawMessage[] } | null = null;
  /** Late messages with places before one. */
  const lateBefore = async function* (place: number) {
    for (let each = late[next]; each && each.place < place; each = late[++next]) {
      if (last?.block !== each.block)
        last = { block: each.block, messages: await history.messages(each.block) };
      const raw = last.messages.find(({ arrival }) => arrival === each?.arrival);
      const message = raw && validMessage(raw);
      if (message) yield message;
    }
  };
  for (const block of blocks) {
    for (const raw of (await history.messages(block)).filter(isLasting)) {
      const message = raw.conversation === id && raw.late === 0 ? validMessage(raw) : null;
      if (!message) continue;
      yield* lateBefore(message.place);
      yield message;
    }
  }
  yield* lateBefore(Number.POSITIVE_INFINITY);
}
