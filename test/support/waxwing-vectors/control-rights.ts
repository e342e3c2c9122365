/**
 * Rights to send a kind about a message, by role.
 */
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { fixedWallet } from '../identities.ts';

const [self, ann, bob, creator, admin] = [0x11, 0x12, 0x13, 0x14, 0x15].map(
  (seed) => fixedWallet(seed).address,
) as [string, string, string, string, string];
const bot = (value: number) => encodeBase64Url(new Uint8Array(16).fill(value));

const person = (address: string) => ({ by: 'person', address });
const program = (address: string, via = 'api_key') => ({ by: 'nobody', address, via });
const robot = (value: number) => ({ by: 'bot', address: creator, botId: bot(value) });
type Voice = ReturnType<typeof person> | ReturnType<typeof program> | ReturnType<typeof robot>;

const direct = { channel: 'direct', self, peer: self, creator: null, admins: [] };
const group = { channel: 'group', self, peer: null, creator, admins: [admin] };

export function controlRightsVectors() {
  const is = (
    why: string,
    kind: string,
    place: object,
    voice: Voice,
    problem: string | null,
    target: Voice | null = null,
  ) => ({ why, kind, place, voice, target, problem });
  return [
    ...['text', 'attachment', 'poll'].flatMap((kind) => [
      is('a person', kind, group, person(ann), null),
      is('a program', kind, direct, program(ann), null),
      is('a bot', kind, group, robot(1), null),
    ]),
    ...[
      'contact',
      'invite',
      'ask',
      'vote',
      'receipt',
      'pin',
      'profile',
      'accept',
      'hello',
      'move',
      'hologram',
    ].flatMap((kind) => [
      is('a person', kind, direct, person(ann), null),
      is('a program', kind, direct, program(ann), 'not_by_a_person'),
      is('a bot', kind, group, robot(1), 'not_by_a_person'),
    ]),
    is('nobody sends it', 'system', direct, person(ann), 'never_sent'),
    is('on another person’s message', 'reaction', group, person(ann), null, person(bob)),
    is('a program on its own message', 'reaction', direct, program(ann), null, program(ann)),
    is(
      'a program on what came another way',
      'reaction',
      direct,
      program(ann),
      'not_by_its_author',
      program(ann, 'session'),
    ),
    is(
      'a program on what its person signed',
      'reaction',
      direct,
      program(ann),
      'not_by_its_author',
      person(ann),
    ),
    is('a bot on its own message', 'reaction', group, robot(1), null, robot(1)),
    is('a bot on another bot’s message', 'reaction', group, robot(1), 'not_by_its_author', robot(2)),
    is('a bot on the creator’s message', 'reaction', group, robot(1), 'not_by_its_author', person(creator)),
    is('by its author', 'edit', group, person(ann), null, person(ann)),
    is('by another person', 'edit', group, person(bob), 'not_by_its_author', person(ann)),
    is('by the creator', 'edit', group, person(creator), 'not_by_its_author', person(ann)),
    is('of what has not come yet', 'edit', group, person(ann), null),
    is('a person, of what their program sent', 'edit', direct, person(ann), null, program(ann)),
    is(
      'a program, of what its person signed',
      'edit',
      direct,
      program(ann),
      'not_by_its_author',
      person(ann),
    ),
    is('the creator, of what a bot sent', 'edit', group, person(creator), 'not_by_its_author', robot(1)),
    is('by its author', 'delete', direct, person(ann), null, person(ann)),
    is('by the other one', 'delete', direct, person(self), 'not_by_its_author', person(ann)),
    is('by a member', 'delete', group, person(bob), 'not_by_its_author', person(ann)),
    is('by the creator', 'delete', group, person(creator), null, person(ann)),
    is('by an admin', 'delete', group, person(admin), null, person(creator)),
    is('by an admin, of what a bot sent', 'delete', group, person(admin), null, robot(1)),
    is('a bot, of what a member sent', 'delete', group, robot(1), 'not_by_its_author', person(ann)),
    is(
      'unsigned, from the creator’s address',
      'delete',
      group,
      program(creator),
      'not_by_its_author',
      person(ann),
    ),
    is('by either', 'pin', direct, person(ann), null, person(self)),
    is('by a member', 'pin', group, person(ann), 'not_by_an_admin', person(ann)),
    is('by an admin', 'pin', group, person(admin), null, person(ann)),
    is('by the creator', 'picture', group, person(creator), null),
    is('by a member', 'picture', group, person(ann), 'not_by_an_admin'),
    is('of a direct conversation', 'picture', direct, person(ann), 'not_here'),
    is('by either', 'timer', direct, person(ann), null),
    is('a group has it in its roster', 'timer', group, person(creator), 'not_here'),
    ...['own.read', 'own.set', 'own.history', 'own.later'].flatMap((kind) => [
      is('to oneself', kind, direct, person(self), null),
      is('from another person', kind, direct, person(ann), 'not_by_oneself'),
      is('to another person', kind, { ...direct, peer: ann }, person(self), 'not_by_oneself'),
      is('in a group', kind, { ...group, peer: self }, person(self), 'not_by_oneself'),
      is('unsigned', kind, direct, program(self), 'not_by_a_person'),
    ]),
  ];
}
