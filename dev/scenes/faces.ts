import type { TimelineEvent } from '../../src/bridge/shapes/message.ts';
import { addDirect, addGroup, type Line } from '../fake/conversations.ts';
import { ann, ben, chen, person } from '../fake/people.ts';
import { newWorld, type World } from '../fake/world.ts';

/** Pictures of people and groups, and those that are not shown: missing, too large, no picture. */
export function faces(): World {
  const world = newWorld();
  world.me = { ...world.me, about: 'Counts birds on Sundays.', picture: '512x512/robin.png' };
  const shown = { ...ann, picture: '512x512/ann.png' };
  const wide = person('wide', 'Wide Picture', { picture: '512x128/wide.png' });
  const huge = person('huge', 'Huge Picture', { picture: '3000x3000/huge.png' });
  const broken = person('broken', 'Broken Picture', { picture: '10x10/words.txt' });
  const event = (part: object): Line => {
    const line = { who: shown, by: null, seconds: null, before: null, ...part };
    return [shown, '', { kind: 'event', event: line as TimelineEvent, state: 'sent' }];
  };
  addDirect(world, shown, [
    [shown, 'Look, I have a picture now'],
    event({ type: 'picture' }),
    event({ type: 'name', before: 'Annie' }),
    [null, 'It suits you'],
  ]);
  world.contacts.set(ann.address, { about: 'Photographs waxwings, and writes about them now and then.' });
  const group = { picture: '512x512/birds.png' };
  addGroup(
    world,
    'Bird watchers',
    [shown, ben, wide, huge, broken],
    [
      event({ type: 'groupPicture' }),
      [shown, 'A waxwing!'],
      [ben, 'Where?'],
      [wide, 'In the rowan'],
      [huge, 'I see it'],
      [broken, 'So do I'],
    ],
    { group },
  );
  for (const each of [wide, huge, broken, chen]) addDirect(world, each, [[each, 'Hello']]);
  return world;
}
