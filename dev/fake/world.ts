/**
 * The data of a fake bridge: the state of an engine and a host, as plain data in the shapes of the contract.
 */
import './schemas-without-code.ts';

import type { FailureData } from '../../src/base/failure.ts';
import type { Output } from '../../src/bridge/contract.ts';
import type { Settings } from '../../src/bridge/settings.ts';
import { defaultSettings } from '../../src/bridge/settings.ts';
import type { Connection, Me } from '../../src/bridge/shapes/account.ts';
import type { FirstLinks, OpenedLink, UpdateState } from '../../src/bridge/shapes/app.ts';
import type { ContactDetails } from '../../src/bridge/shapes/contact.ts';
import type { Conversation } from '../../src/bridge/shapes/conversation.ts';
import type { DeveloperAccess } from '../../src/bridge/shapes/developer-access.ts';
import type {
  AddedDevice,
  ChangesAnswered,
  DeviceChange,
  OwnDevice,
} from '../../src/bridge/shapes/device.ts';
import type { GroupDetails, GroupListing } from '../../src/bridge/shapes/group.ts';
import type { GroupLink, OwnLink, ReadInvite } from '../../src/bridge/shapes/invite.ts';
import type { LockState } from '../../src/bridge/shapes/lock-state.ts';
import type { Message } from '../../src/bridge/shapes/message.ts';
import type { Person } from '../../src/bridge/shapes/person.ts';
import { addressOf, DAY, HOUR, NOW } from './people.ts';

export interface World {
  phase: Output<'app.state'>['phase'];
  me: Me;
  deletion: Output<'app.state'>['deletion'];
  /** Names of groups that the person would have to leave before the account is deleted. */
  ownedGroups: string;
  relays: Output<'app.state'>['relays'];
  host: Output<'host.info'>;
  desktop: Output<'host.desktop'>;
  connection: Connection;
  /** An opened link, until it is received. */
  link: OpenedLink | null;
  /** Links that are opened after it. */
  laterLinks: OpenedLink[];
  firstLinks: FirstLinks;
  /** True after a recovery, until the step that restores a backup ends. */
  offersRestore: boolean;
  /** The contents of invite links, or the reason why one is invalid. */
  invites: Map<string, ReadInvite | FailureData>;
  /** Open invite links to the person, the newest first. */
  ownLinks: OwnLink[];
  /** Invite links of own groups, by conversation. */
  groupLinks: Map<string, GroupLink[]>;
  lock: LockState;
  settings: Settings;
  updates: UpdateState;
  conversations: Conversation[];
  /** Of each conversation, oldest first. */
  messages: Map<string, Message[]>;
  /** Sizes of prepared files, by id. */
  prepared: Map<string, number>;
  /** Addresses of files that the person sent, by message and place. */
  paths: Map<string, string>;
  /** Limit of the relay for a file, in bytes. */
  mostFileBytes: number;
  /** False while older messages are still being indexed for search. */
  isIndexed: boolean;
  /** Bytes of all messages on the disk. */
  messageBytes: number;
  /** The last backup, and the work in progress. */
  backup: Output<'backup.get'>;
  /** Histories of linked computers. */
  history: Output<'history.get'>;
  /** Unusual facts about people, by address. */
  contacts: Map<string, Partial<ContactDetails>>;
  /** Details of groups beside their row, by conversation. */
  groups: Map<string, Omit<GroupDetails, 'conversationId' | 'group'>>;
  /** People in the relay's directory. */
  people: Person[];
  /** Groups that the person was removed from, by conversation, and the call by which the app learns it. */
  removedFrom: Map<string, 'groups.look' | 'groups.details'>;
  /** Conversations whose messages the relay refuses for good. */
  refusedIn: Set<string>;
  listings: GroupListing[];
  /** After how many seconds messages disappear in chats that the person begins. */
  defaultTimer: number;
  devices: OwnDevice[];
  addedDevices: AddedDevice[];
  /** Marks set by a removed device, shown once it is removed. */
  changes: DeviceChange[];
  /** Groups whose changes cannot be undone, and the failure. */
  failingChanges: ChangesAnswered['failures'];
  developer: DeveloperAccess;
  /** The conversation that the window opens with. */
  open: string | null;
}

export const OPEN: LockState = {
  phase: 'open',
  because: null,
  canBeRecovered: true,
  needsPassphrase: false,
  failedAttempts: 0,
  wait: 0,
  messagesWaiting: false,
  update: null,
  failure: null,
};

const RELAY = 'https://relay.example';

/** An account without a conversation, at a relay of its own, in a browser. */
export function newWorld(part: Partial<World> = {}): World {
  return {
    phase: 'ready',
    me: {
      address: addressOf('me'),
      handle: 'robin',
      displayName: 'Robin Reed',
      about: null,
      picture: null,
      deviceId: 'device-of-robin',
      relayUrl: RELAY,
      keepsPhrase: true,
      endsAt: null,
    },
    deletion: null,
    ownedGroups: '',
    relays: { embedded: true, fixed: null },
    host: {
      kind: 'browser',
      version: '0.1.0',
      platform: 'linux',
      keyProtection: { kind: 'passphrase' },
    },
    connection: { state: 'online', problem: null, isKeyOverdue: false, nextRetryAt: null, queued: 0 },
    link: null,
    laterLinks: [],
    firstLinks: { entered: null, others: [] },
    offersRestore: false,
    invites: new Map(),
    ownLinks: [],
    groupLinks: new Map(),
    lock: OPEN,
    settings: defaultSettings,
    desktop: { hasTray: true, notificationsFail: false, dictionaries: [] },
    updates: { phase: 'current', version: null, problem: null, newestFrom: NOW - 30 * DAY, installs: true },
    conversations: [],
    messages: new Map(),
    prepared: new Map(),
    paths: new Map(),
    mostFileBytes: 100 * 1024 * 1024,
    isIndexed: true,
    messageBytes: 1_400_000,
    backup: {
      last: null,
      progress: null,
      problem: null,
      folder: null,
      isRestoreOpen: false,
      resumed: null,
      hasPhrase: true,
      isDue: false,
    },
    history: { receiving: null, sending: [] },
    contacts: new Map(),
    groups: new Map(),
    people: [],
    removedFrom: new Map(),
    refusedIn: new Set(),
    listings: [],
    defaultTimer: 0,
    addedDevices: [],
    devices: [
      {
        id: 'device-of-robin',
        name: null,
        type: 'app',
        isThis: true,
        validUntil: NOW + 365 * 24 * HOUR,
        sealKeySince: NOW - 3 * HOUR,
        keepsPhrase: true,
      },
    ],
    changes: [],
    failingChanges: [],
    developer: { unlocked: false, docsUrl: `${RELAY}/docs`, keys: [] },
    open: null,
    ...part,
  };
}
