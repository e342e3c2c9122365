/** Answers about groups as JSON, built where they are read. */
import type { GroupKey, QueueKey } from '../records.ts';
import type { prepareReads } from '../sql/reads.ts';
import { describeGroup } from './group-view.ts';

/** A group with its members as JSON in UTF-8, in the form of the API; null if it was deleted. */
export async function groupAsJson(
  reads: Pick<ReturnType<typeof prepareReads>, 'readGroup'>,
  group: GroupKey,
  now: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const read = await reads.readGroup(group);
  return read && new TextEncoder().encode(JSON.stringify(describeGroup(read.group, read.members, now)));
}

/** The seal keys of a group's devices that a post omitted, in the form of the API: JSON in UTF-8. */
export async function missingAsJson(
  reads: Pick<ReturnType<typeof prepareReads>, 'sealKeysBeside'>,
  group: GroupKey,
  served: readonly QueueKey[],
  now: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const missing = await reads.sealKeysBeside(group, served, now);
  return new TextEncoder().encode(JSON.stringify({ missing }));
}
