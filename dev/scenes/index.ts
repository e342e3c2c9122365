/**
 * The scenes: states that a person may see, one function each, the same every time. `?scene=` selects one.
 */

import type { FailureData } from '../../src/base/failure.ts';
import type { DirectConversation } from '../../src/bridge/shapes/conversation.ts';
import type { DeviceChange } from '../../src/bridge/shapes/device.ts';
import type { ReadInvite } from '../../src/bridge/shapes/invite.ts';
import { ownLink } from '../fake/answers/invites.ts';
import { addDirect, addGroup, type Line, member } from '../fake/conversations.ts';
import { ann, ben, DAY, echo, HOUR, MINUTE, NOW, person } from '../fake/people.ts';
import { newWorld, OPEN, type World } from '../fake/world.ts';
import { actions } from './actions.ts';
import { disappearing } from './disappearing.ts';
import { faces } from './faces.ts';
import { files } from './files.ts';
import { hostile } from './hostile.ts';
import { invites } from './invites.ts';
import { listening } from './listening.ts';
import { lists } from './lists.ts';
import { many } from './many.ts';
import { previews } from './previews.ts';
import {
  firstContact,
  followedInvite,
  fork,
  namesakes,
  removed,
  request,
  states,
  strangeGroup,
} from './trust.ts';

function one(part: Partial<World> = {}, chat: Partial<DirectConversation> = {}): World {
  const world = newWorld(part);
  const lines: Line[] = [
    [null, 'Is anybody there?'],
    [echo, 'Is anybody there?'],
  ];
  addDirect(world, echo, lines, chat);
  return world;
}

const NO_ROOM: FailureData = { code: 'data_no_room', parameters: { needed: 129, free: 87 } };

const TEXTS: readonly Line[] = [
  [null, 'See\n```ts\nlet a = 1;\n```\nthere'],
  [ben, '> ~~Monday~~ **Tuesday**\nBring:\n- water\n  - two bottles\n- a hat\n3. then rest'],
  [ben, 'שלום, מה שלומך?'],
  [ann, 'Look at https://example.org/a/path?with=questions and `code` and *this*, and **that**.'],
  [ben, '- one\n- two\n\n> said before\n\nand after, in w**or**ds and `co**d**e`'],
  [null, '👋🏽'],
];

/** Long names, long words, long messages; an empty conversation; and everything that a bubble can contain. */
function conversation(): World {
  const world = newWorld();
  const long = Array.from({ length: 120 }, (_, line) => `Sentence ${line + 1} of **many**.`).join('\n');
  const name = 'W'.repeat(80);
  const { id } = addGroup(
    world,
    name,
    [ann, ben],
    [
      [ann, `A long word: ${'sealed'.repeat(40)}`],
      [null, long],
    ],
  );
  addGroup(world, name, [ann, ben]);
  addGroup(world, 'Every kind of text', [ann, ben], TEXTS);
  return { ...world, open: id };
}

function backupDue(): World {
  const world = one();
  return { ...world, backup: { ...world.backup, isDue: true } };
}

function backupFolder(code: 'backup_folder_away' | 'backup_no_room' = 'backup_folder_away'): World {
  const world = desktop();
  const path = '/media/ann/Backup disk of the family/Waxwing backup 3f9a2c41';
  const problem = { code, parameters: {} };
  return {
    ...world,
    backup: {
      ...world.backup,
      last: { at: NOW - 3 * DAY, bytes: 12_500_000, missingFiles: 2 },
      folder: { path, at: NOW - 3 * DAY, problem },
    },
  };
}

function restoring(): World {
  return one({
    backup: {
      last: { at: NOW - 40 * DAY, bytes: 12_500_000, missingFiles: 0 },
      progress: { is: 'restoring', done: 30, total: 100 },
      problem: null,
      folder: null,
      isRestoreOpen: true,
      resumed: null,
      hasPhrase: true,
      isDue: false,
    },
  });
}

/** A restore that the start of the app has continued to its end. */
function resumedRestore(): World {
  const world = one();
  return { ...world, backup: { ...world.backup, resumed: { at: NOW - DAY, skipped: 0, leftOut: 2 } } };
}

/** A linked computer that receives the messages of another one. */
function receivingHistory(part: Partial<NonNullable<World['history']['receiving']>> = {}): World {
  const world = one({ me: { ...newWorld().me, keepsPhrase: false } });
  const receiving = { state: 'receiving' as const, done: 4, total: 10, problem: null, ...part };
  return { ...world, history: { receiving, sending: [] } };
}

/** A computer that sends its messages to another one. */
function sendingHistory(part: Partial<World['history']['sending'][number]> = {}): World {
  const world = desktop();
  const sending = {
    ...{ deviceId: 'device-two', state: 'sending' as const, done: 4, total: 10, problem: null },
    ...part,
  };
  return { ...world, history: { receiving: null, sending: [sending] } };
}

function offline(): World {
  const world = one({
    connection: {
      state: 'offline',
      problem: { code: 'relay_unreachable', parameters: {} },
      isKeyOverdue: false,
      nextRetryAt: NOW + 90_000,
      queued: 2,
    },
  });
  addDirect(world, ann, [
    [ann, 'Are you coming?'],
    [null, 'In a minute', { state: 'queued' }],
    [null, 'Or two', { state: 'queued' }],
  ]);
  return { ...world, open: '2' };
}

/** A group without other members, just created. */
function newGroup(): World {
  const world = one();
  const { id } = addGroup(world, 'Bird watchers', []);
  return { ...world, open: id };
}

/** The chat with oneself. */
function notes(): World {
  const world = one();
  const { id } = addDirect(world, member(world.me).person, [[null, 'Buy bread']], { isSelf: true });
  return { ...world, open: id };
}

/** A group of a backup whose members the server has not shown yet. */
function restored(): World {
  const world = one();
  addGroup(world, 'Bird watchers', [ann], [[ann, 'A waxwing!']], {
    group: { joined: false, isLoading: true, isCreator: false, memberCount: 0 },
  });
  return { ...world, open: '2' };
}

/** An account that has ended at its relay. */
function deleted(): World {
  return one({
    deletion: { kind: 'done' },
    connection: {
      state: 'offline',
      problem: { code: 'account_deleted', parameters: { detail: '', reason: 'account_deleted' } },
      isKeyOverdue: false,
      nextRetryAt: NOW + 90_000,
      queued: 0,
    },
  });
}

/** An app under Electron, with all that its settings can hold. */
function desktop(platform = 'darwin'): World {
  const world = one();
  return {
    ...world,
    host: { ...world.host, kind: 'electron', platform },
    settings: { ...world.settings, quietHours: { from: '22:30', to: '07:00' } },
    failingChanges: [
      { name: 'Birds', failure: { code: 'roster_act_refused', parameters: { reason: 'not_allowed' } } },
    ],
    changes: [
      { mark: 'verified', subject: 'Sam Porter' },
      { mark: 'nickname', subject: 'Sam Porter', text: 'Mum', before: 'Sammy' },
      { mark: 'blocked', subject: 'Dana Reyes' },
      {
        mark: 'chatTimer',
        subject: 'Sam Porter',
        seconds: { now: 3_600, before: 0 },
      },
      {
        mark: 'groupTimer',
        subject: 'Birds',
        group: 'Birds',
        seconds: { now: 3_600, before: 86_400 },
      },
      { mark: 'groupRole', subject: 'Dana Reyes', group: 'Birds', text: 'admin' },
      { mark: 'groupMember', subject: 'Sam Porter', group: 'Birds', isSet: false },
      { mark: 'groupName', subject: 'Birds', group: 'Birds', text: 'Birds', before: 'Bird watchers' },
      { mark: 'groupPicture', subject: 'Owls', group: 'Owls' },
      { mark: 'groupPassword', subject: 'Birds', group: 'Birds', undo: 'never' },
      { mark: 'groupJoin', subject: 'Walks', group: 'Walks', text: 'open', before: 'invite', undo: 'left' },
      {
        mark: 'messages',
        subject: 'Echo',
        messages: { conversationId: '1', firstId: '1', count: 12, isMore: false },
      },
    ].map((change, index) => ({
      seconds: null,
      group: null,
      isSet: true,
      text: null,
      before: null,
      messages: null,
      undo: 'possible' as const,
      ...(change as Partial<DeviceChange> & Pick<DeviceChange, 'mark' | 'subject'>),
      key: `change/${index}`,
      device: { id: 'device-two', name: 'Living room' },
    })),
    devices: [
      ...world.devices,
      {
        id: 'device-two',
        name: 'Living room',
        type: 'app',
        isThis: false,
        validUntil: NOW + 90 * DAY,
        sealKeySince: NOW - 9 * DAY,
        keepsPhrase: null,
      },
      {
        id: 'device-three',
        name: null,
        type: 'api',
        isThis: false,
        validUntil: NOW + 9 * DAY,
        sealKeySince: null,
        keepsPhrase: null,
      },
    ],
    developer: {
      ...world.developer,
      unlocked: true,
      keys: [
        {
          id: 'key-1',
          name: 'Build notes',
          prefix: 'wxk_abc',
          entitlements: ['envelopes:send'],
          createdAt: NOW - 30 * DAY,
          expiresAt: NOW + 60 * DAY,
          lastUsedAt: NOW - HOUR,
          revokedAt: null,
        },
        {
          id: 'key-2',
          name: 'An old one',
          prefix: 'wxk_def',
          entitlements: ['inbox:read', 'directory:read'],
          createdAt: NOW - 200 * DAY,
          expiresAt: null,
          lastUsedAt: null,
          revokedAt: NOW - 100 * DAY,
        },
      ],
    },
  };
}

/** A computer that was removed from the account, and the address of an opened link. */
function removedComputer(address: string | null = null): World {
  const link = address === null ? null : ({ kind: 'contact', address } as const);
  const problem = { code: 'device_removed', parameters: {} } as const;
  const world = lists();
  return { ...world, link, connection: { ...world.connection, state: 'offline', problem } };
}

/** Someone has added devices to the account elsewhere. */
function addedDevices(count: number): World {
  const world = one();
  const added = Array.from({ length: count }, (_, index) => ({
    id: `added-${index}`,
    name: null,
    type: 'app' as const,
    at: NOW - HOUR - index,
  }));
  const listed = added.map(({ at, ...device }) => ({
    ...device,
    isThis: false,
    validUntil: at + 365 * DAY,
    sealKeySince: at,
    keepsPhrase: null,
  }));
  return { ...world, addedDevices: added, devices: [...world.devices, ...listed] };
}

/** A desktop without a tray, whose system shows no notifications, and a copy that does not replace itself. */
function limited(): World {
  return {
    ...desktop('linux'),
    desktop: {
      hasTray: false,
      notificationsFail: true,
      dictionaries: ['de', 'en-GB', 'en-US', 'fr', 'pt-BR', 'uk'],
    },
    updates: { phase: 'available', version: '0.2.0', problem: null, newestFrom: null, installs: false },
  };
}

/** An app under Electron that was linked: the recovery phrase is not kept there, and opens nothing there. */
function linked(): World {
  const world = desktop();
  return {
    ...world,
    host: { ...world.host, keyProtection: { kind: 'os-key-store' } },
    lock: { ...OPEN, canBeRecovered: false },
    backup: { ...world.backup, hasPhrase: false },
    me: { ...world.me, keepsPhrase: false },
    devices: world.devices.map((each) => (each.isThis ? { ...each, keepsPhrase: false } : each)),
  };
}

/** A person whose invite links are open. */
function inviting(): World {
  return one({ ownLinks: [ownLink(2), { ...ownLink(1), expires: NOW + 5 * HOUR }] });
}

/** The server of the account is this computer. */
function ownServer(): World {
  const world = newWorld();
  return { ...world, me: { ...world.me, relayUrl: 'http://127.0.0.1:41237' } };
}

/** A newcomer with an invite link to a person, and another into a group. */
function invited(part: Partial<World> = {}): World {
  const place = { server: 'https://relay.example', isSameServer: false, invitation: `inv_${'b'.repeat(43)}` };
  return newWorld({
    phase: 'new',
    invites: new Map<string, ReadInvite>([
      [ownLink(1).url, { to: 'person', address: ann.address, handle: null, ...place }],
      [ownLink(2).url, { to: 'group', groupId: 'birds', name: null, isMember: false, ...place }],
    ]),
    ...part,
  });
}

export const scenes = {
  'first-run': () => newWorld({ phase: 'new' }),
  invited: () => invited(),
  'invited-link': () =>
    invited({
      link: { kind: 'invite', text: ownLink(1).url },
      laterLinks: [{ kind: 'invite', text: ownLink(2).url }],
    }),
  'invited-links': () => {
    const [link, ...laterLinks] = [ownLink(1).url, ownLink(1).app, ownLink(2).url].map((text) => ({
      kind: 'invite' as const,
      text,
    }));
    const contact = { kind: 'contact' as const, address: ann.address };
    return invited({ link: link ?? null, laterLinks: [...laterLinks, contact] });
  },
  /** One link, opened in both of its forms. */
  'invited-twice': () =>
    invited({
      link: { kind: 'invite', text: ownLink(1).url },
      laterLinks: [{ kind: 'invite', text: ownLink(1).app }],
    }),
  'invited-fixed': () => invited({ relays: { embedded: false, fixed: 'https://another.example' } }),
  inviting,
  'own-server': ownServer,
  handle: () => newWorld({ phase: 'needs-handle' }),
  empty: () => newWorld({ people: [echo, ann, ben] }),
  one: () => one(),
  'added-device': () => addedDevices(1),
  'removed-computer': () => removedComputer(),
  'removed-computer-link': () => removedComputer(ann.address),
  'removed-computer-unknown-link': () => removedComputer(person('nobody', 'Nobody Known').address),
  'added-devices': () => addedDevices(3),
  many,
  listening,
  previews,
  lists,
  conversation,
  states,
  disappearing,
  actions,
  faces,
  files,
  group: strangeGroup,
  'new-group': newGroup,
  'invite-links': () => invites(),
  'opened-invite': () => invites('group'),
  'opened-invites': () => invites('group', 'nameless', 'expired'),
  'opened-own-invite': () => invites('member'),
  'opened-person-invite': () => invites('person'),
  'opened-address-invite': () => invites('address'),
  'opened-invite-elsewhere': () => invites('elsewhere'),
  'invite-links-here': () => {
    const world = invites();
    return { ...world, me: { ...world.me, relayUrl: 'http://127.0.0.1:8080' } };
  },
  notes,
  namesakes,
  removed: () => removed('groups.look'),
  'removed-details': () => removed('groups.details'),
  request,
  'first-contact': firstContact,
  'followed-invite': () => followedInvite(),
  'followed-invite-sent': () => followedInvite('Thanks for the link!'),
  fork,
  offline,
  refused: () => one({ refusedIn: new Set(['1', '2']) }, { unread: 1 }),
  restoring,
  backupDue,
  'backup-folder': () => backupFolder(),
  'backup-folder-full': () => backupFolder('backup_no_room'),
  'receiving-history': () => receivingHistory(),
  'waiting-for-history': () => receivingHistory({ state: 'waiting', done: 0, total: 0 }),
  'history-without-room': () => receivingHistory({ problem: { code: 'disk_full', parameters: {} } }),
  'history-complete': () => receivingHistory({ state: 'complete', done: 10 }),
  'sending-history': () => sendingHistory(),
  'missed-history': () => sendingHistory({ state: 'missed', done: 0, total: 0 }),
  hostile,
  desktop: () => desktop(),
  'desktop-windows': () => desktop('win32'),
  'desktop-limited': limited,
  linked,
  'deletion-planned': () => one({ deletion: { kind: 'planned', at: NOW + 6 * DAY } }),
  deleted,
  restored,
  'resumed-restore': resumedRestore,
  'owns-groups': () => one({ ownedGroups: 'Bird watchers, The Tuesday quiz' }),
  unprotected: () => {
    const world = one();
    return { ...world, host: { ...world.host, keyProtection: { kind: 'file' } } };
  },
  updating: () =>
    one({ lock: { ...OPEN, phase: 'opening', update: { done: 430_000, total: 1_000_000, bytes: 129e6 } } }),
  'not-opened': () => one({ lock: { ...OPEN, phase: 'opening', failure: NO_ROOM } }),
  'not-unlocked': () => one({ lock: { ...OPEN, phase: 'locked', because: 'passphrase', failure: NO_ROOM } }),
  'choose-passphrase': () =>
    newWorld({ lock: { ...OPEN, phase: 'choose-passphrase', needsPassphrase: true } }),
  locked: () => one({ lock: { ...OPEN, phase: 'locked', because: 'passphrase', messagesWaiting: true } }),
  'locked-out': () =>
    one({ lock: { ...OPEN, phase: 'locked', because: 'passphrase', failedAttempts: 6, wait: 5 * MINUTE } }),
  'key-store': () => one({ lock: { ...OPEN, phase: 'locked', because: 'store-missing' } }),
  'key-store-refused': () => ({
    ...desktop('linux'),
    lock: { ...OPEN, phase: 'locked', because: 'store-refused' },
  }),
  'key-store-of-app': () => one({ lock: { ...OPEN, phase: 'locked', because: 'other-host' } }),
} satisfies Record<string, () => World>;

export type SceneName = keyof typeof scenes;

export const sceneNames = Object.keys(scenes) as SceneName[];

export function isScene(name: string): name is SceneName {
  return Object.hasOwn(scenes, name);
}
