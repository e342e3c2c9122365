import { addDirect, addGroup, type Line } from '../fake/conversations.ts';
import { ann, ben, chen, dana, echo, person, stranger } from '../fake/people.ts';
import { newWorld, type World } from '../fake/world.ts';

/** A long list, with rows in every state, and a long timeline. */
export function many(): World {
  const world = newWorld();
  const lines = Array.from(
    { length: 400 },
    (_, line): Line => [line % 3 === 0 ? null : ann, `Line ${line + 1} of a long conversation`],
  );
  addDirect(world, ann, lines, { unread: 3 });
  addDirect(world, ben, [[ben, 'Muted']], { unread: 120, mutedUntil: 'always' });
  addDirect(world, chen, [[chen, '你好']], { draft: 'Not finished' });
  addDirect(world, dana, [[dana, 'مرحبا']], {
    verifiedAt: 0,
    setBy: { id: 'device-two', name: 'Living room' },
  });
  addDirect(world, echo, [
    [
      null,
      'Not sent',
      { state: 'failed', problem: { code: 'too_large', parameters: { detail: '', reason: '' } } },
    ],
  ]);
  addDirect(world, stranger, [[stranger, 'We met yesterday.']], { state: 'request', unread: 1 });
  addDirect(world, person('blocked', 'Somebody Blocked'), [[null, 'No']], { state: 'blocked' });
  addGroup(world, 'Bird watchers', [ann, ben, chen], [[ben, 'A waxwing!']], { unread: 1 });
  addGroup(world, 'Left behind', [ann], [], {
    draft: 'Never sent',
    group: { joined: false, isCreator: false },
  });
  for (let index = 1; index <= 190; index++) {
    const peer = person(`person_${index}`, `Person ${index}`);
    addDirect(world, peer, [[peer, `The last words of person ${index}`]]);
  }
  world.listings = ['Astronomy', 'Bakers', 'Chess', 'Divers', 'Early birds'].map((name, index) => ({
    groupId: `listed-${index}`,
    name,
    verified: index === 0,
    memberCount: 10 ** index,
    join: index === 2 ? 'password' : index > 2 ? 'invite' : 'open',
    owner: index === 4 ? null : ann,
    conversationId: null,
  }));
  return world;
}
