import { addDirect, addGroup } from '../fake/conversations.ts';
import { ann, ben, chen, dana, echo, HOUR, NOW, person, stranger } from '../fake/people.ts';
import { newWorld, type World } from '../fake/world.ts';

const FAILED = {
  state: 'failed',
  problem: { code: 'too_large', parameters: { detail: '', reason: '' } },
} as const;

/** A short list with a row in each state, one with all marks at once, an archive, and a request. */
export function lists(): World {
  const world = newWorld();
  addDirect(world, ann, [[ann, 'See you at four, at the bridge with the two bears']], { unread: 2 });
  const besides = { unread: 12, mutedUntil: NOW + 8 * HOUR };
  addDirect(
    world,
    ben,
    [
      [null, 'This did not go, either', FAILED],
      [ben, 'Muted for a while'],
    ],
    besides,
  );
  addDirect(world, chen, [[chen, '你好']], { draft: 'Not finished' });
  addDirect(world, dana, [[dana, 'مرحبا']], { markedUnread: true });
  addDirect(world, echo, [[null, 'This did not go', FAILED]]);
  addGroup(world, 'Bird watchers', [ann, ben, chen], [[ben, 'A waxwing!']], { pinned: true });
  addGroup(world, 'The Tuesday quiz', [ann, ben], [[null, 'Who knows?', FAILED]], {
    pinned: true,
    mutedUntil: 'always',
    unread: 120,
    unreadMentions: 3,
    draft: 'An answer that is longer than the row',
  });
  addDirect(world, person('quiet', 'Quinn Quiet'), [], { mutedUntil: 'always', markedUnread: true });
  addDirect(world, person('old', 'Olive Oldham'), [[null, 'Long ago']], { archived: true });
  addGroup(world, 'Last summer', [ann], [[ann, 'What a summer']], { archived: true });
  addDirect(world, stranger, [[stranger, 'We met yesterday.']], { state: 'request', unread: 1 });
  return world;
}
