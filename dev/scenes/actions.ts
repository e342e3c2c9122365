import type { Message, PlacedMention } from '../../src/bridge/shapes/message.ts';
import { addDirect, addGroup, type Line, member, quoteOf } from '../fake/conversations.ts';
import { ann, ben, chen, dana, MINUTE, NOW, person } from '../fake/people.ts';
import { newWorld, type World } from '../fake/world.ts';

const PLAN =
  'Can we meet at four at the old mill? I bring **tea**, and the long telescope if the sky is clear.';

const zoe = person('zed', 'Zoë Anders', { nickname: 'Boss', handleVerified: true });
/** The usual maximum in a group. */
const crowd = [
  ann,
  dana,
  ...Array.from({ length: 997 }, (_, index) => person(`member_${index}`, `Member ${index}`)),
];

/** Actions on messages: replies, reactions, edits, deletions, pins, mentions, what was forwarded. */
export function actions(): World {
  const world = newWorld();
  const me = member(world.me).person;
  const mention = (text: string, name: string, person: PlacedMention['person']): PlacedMention => {
    const from = text.indexOf(name);
    return { from, to: from + name.length, person };
  };
  const question = 'Can you bring the book, @robin? And *@ben* the map.';
  const past = Array.from(
    { length: 150 },
    (_, index): Line => [
      index % 4 === 0 ? null : ([ann, ben, chen][index % 3] ?? ann),
      `What was said before, number ${index + 1}`,
    ],
  );
  const lines: Line[] = [
    ...past,
    [ann, PLAN, { pinned: true, reactions: [heart([ben, chen, me]), thumb([dana])] }],
    [null, 'Yes, see you', { reactions: [thumb([ann])] }],
    [ben, 'I am late by an hour', { editedAt: NOW - MINUTE }],
    [chen, '', { kind: 'deleted', deletedBy: chen }],
    [chen, '', { kind: 'deleted', deletedBy: ann }],
    [null, '', { kind: 'deleted', deletedBy: me }],
    [ann, question, { mentions: [mention(question, '@robin', me), mention(question, '@ben', ben)] }],
    [dana, 'The bus leaves at three.', { forwarded: true, pinned: true }],
    [null, 'I looked it up: it leaves at two.', { editedAt: NOW }],
  ];
  const greeting = { mentions: [mention('Hello @Ann Archer', '@Ann Archer', ann)] };
  const { id } = addGroup(world, 'Weekend hikers', [ann, ben, chen, dana], lines, { unread: 2 });
  const all = world.messages.get(id) ?? [];
  const find = (text: string) => all.find((each) => each.text === text);
  reply(find('Yes, see you'), quoteOf(find(PLAN) as Message));
  reply(find('I am late by an hour'), { is: 'missing', id: null, author: ann, bot: null, summary: null });
  reply(find('The bus leaves at three.'), { is: 'other', id: null, author: ben, bot: null, summary: null });
  const erased = all.find(({ kind }) => kind === 'deleted');
  if (erased) reply(find('I looked it up: it leaves at two.'), quoteOf(erased));
  addDirect(world, ben, [
    [ben, 'One'],
    [null, 'Two'],
    [ben, 'Three'],
  ]);
  for (const peer of [ann, chen, dana]) addDirect(world, peer, [[peer, 'Hello']]);
  addGroup(
    world,
    'Everyone',
    [zoe, ...crowd],
    [
      [zoe, 'Welcome'],
      [null, 'Hello @Ann Archer', greeting],
    ],
  );
  const night = person('night', 'Noor Night');
  const shift = Array.from(
    { length: 60 },
    (_, index): Line =>
      index === 40
        ? [ann, question, { mentions: [mention(question, '@robin', me)] }]
        : [night, `Note ${index + 1}`],
  );
  addGroup(world, 'Night shift', [ann, night], shift, { unread: 50, unreadMentions: 1 });
  return { ...world, open: id };

  function heart(people: Message['author'][]) {
    return { emoji: '❤️', count: people.length, isMine: people.includes(me), people };
  }
  function thumb(people: Message['author'][]) {
    return { emoji: '👍', count: people.length, isMine: people.includes(me), people };
  }
}

function reply(message: Message | undefined, quote: Message['replyTo']): void {
  if (message) message.replyTo = quote;
}
