import { addDirect, addGroup, type Line } from '../fake/conversations.ts';
import { person } from '../fake/people.ts';
import { newWorld, type World } from '../fake/world.ts';

/** Reverses the following text, and never ends the reversal. */
const OVERRIDE = '\u202e';
const STACKED = `o${'\u0336\u0310\u0489\u0301'.repeat(40)}`;

const TEXTS: readonly string[] = [
  '<img src=x onerror=alert(1)><script>alert(1)</script>',
  '[Click me](javascript:alert(1)) and [here](data:text/html,hello) and https://bank.example@evil.example/',
  `${OVERRIDE}gnp.exe ${'\u2066'.repeat(50)}`,
  STACKED,
  `${'\n'.repeat(500)}the end`,
  'W'.repeat(4000),
  '`'.repeat(300),
  `${'> '.repeat(60)}deep`,
  `${'**'.repeat(200)}bold${'__'.repeat(200)}`,
  '👨‍👩‍👧‍👦'.repeat(120),
  '\u200b\u200b\u200b',
];

/** Names and texts of hostile people: nothing may be cut off, covered or executed. */
export function hostile(): World {
  const world = newWorld();
  const names = [
    `Robin Reed${OVERRIDE}`,
    'W'.repeat(64),
    STACKED.slice(0, 64),
    'Verified sender ✓',
    '\u200b',
    '<b>Ann</b>',
  ];
  const people = names.map((name, index) => person(`hostile_${index}`, name));
  const askers = ['Ann Archer', 'שלום (עולם', `Robin${OVERRIDE} Field`, 'دانا'].map((name, index) =>
    person(`asker_${index}`, name),
  );
  const lines = TEXTS.map((text, index): Line => [people[index % people.length] ?? null, text]);
  const { id } = addGroup(world, `${OVERRIDE}${'W'.repeat(79)}`, people, lines);
  for (const each of people) addDirect(world, each, [[each, TEXTS[2] ?? '']], { unread: 1_000_000 });
  for (const each of [...askers, ...people.slice(0, 3)])
    addDirect(world, each, [[each, STACKED]], { state: 'request' });
  world.listings = names.map((name, index) => ({
    groupId: `listed-${index}`,
    name,
    verified: false,
    memberCount: 1_000_000,
    join: index % 2 === 0 ? 'password' : 'invite',
    owner: people[index] ?? null,
    conversationId: null,
  }));
  return { ...world, open: id };
}
