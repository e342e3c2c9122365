/** Realistic requests and answers for every endpoint: made from fixed keys, with real signatures and sealing. */
import { accountExamples } from './account.ts';
import { blobExamples } from './blobs.ts';
import { EXAMPLE_RELAY, type Examples, type ExampleWorld } from './example.ts';
import { groupExamples } from './groups.ts';
import { messageExamples } from './messages.ts';
import { makePeople } from './people.ts';
import { workThroughExample } from './sealing.ts';

export interface ExampleSet {
  calls: Examples;
  world: ExampleWorld;
}

export function makeExamples(): ExampleSet {
  const people = makePeople();
  const world = { ...people, sealed: workThroughExample(people), relay: EXAMPLE_RELAY };
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
