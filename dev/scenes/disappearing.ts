import type { Message } from '../../src/bridge/shapes/message.ts';
import { addDirect, addGroup, type Line, member } from '../fake/conversations.ts';
import { ann, ben, chen, MINUTE, NOW } from '../fake/people.ts';
import { newWorld, type World } from '../fake/world.ts';

const [HOUR, WEEK] = [3_600, 604_800];

/** A chat whose messages disappear, a group in which others decide that, and a default for new chats. */
export function disappearing(): World {
  const world = newWorld({ defaultTimer: WEEK });
  const me = member(world.me).person;
  const line = (who: Message['author'], seconds: number): Line => [
    who,
    '',
    { kind: 'event', event: { type: 'timer', who, by: null, seconds, before: null }, state: 'sent' },
  ];
  const goes = (after: number, at: number | null) => ({ disappears: { after, at } });
  const { id } = addDirect(
    world,
    ann,
    [
      [ann, 'This stays: it was written before.'],
      line(ann, 8 * HOUR),
      [ann, 'The code for the gate is 4711', goes(8 * HOUR, NOW + 60 * MINUTE)],
      [null, 'Thank you', { ...goes(8 * HOUR, NOW + MINUTE), editedAt: NOW }],
      line(me, 0),
      line(me, 30),
      [ann, 'Be quick', goes(30, NOW + MINUTE)],
      [null, 'On my way', { ...goes(30, null), state: 'queued' }],
    ],
    { timer: 30 },
  );
  const lines: Line[] = [line(ann, 5_400), [ben, 'Read me', goes(5_400, null)]];
  const group = { isCreator: false, isAdmin: false };
  addGroup(world, 'Night watch', [ann, ben, chen], lines, { timer: 5_400, group });
  addDirect(world, ben, [[ben, 'Hello']]);
  return { ...world, open: id };
}
