/** Realistic requests and answers for every endpoint: made from fixed keys, with real signatures and sealing. */
import { accountExamples } from './account.ts';
import { blobExamples } from './blobs.ts';
import type { Examples, ExampleWorld } from './example.ts';
import { groupExamples } from './groups.ts';
import { messageExamples } from './messages.ts';
import { makePeople } from './people.ts';
import { workThroughExample } from './sealing.ts';

export interface ExampleSet {
  calls: Examples;
  world: ExampleWorld;
}

/**
 * All examples of a relay.
 * @param relay its public URL, which logins name
 */
export function makeExamples(relay: URL, relayName: string): ExampleSet {
  const people = makePeople();
  const world = { ...people, sealed: workThroughExample(people), relay, relayName };
  return {
    world,
    calls: {
      ...accountExamples(world),
      ...messageExamples(world),
      ...groupExamples(world),
      ...blobExamples(),
    },
  };
}
