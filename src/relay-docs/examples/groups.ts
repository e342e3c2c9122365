/**
 * Examples of groups, of posts into them, and of their bot tokens.
 */
import { CREDENTIAL_PREFIX, SHOWN_PREFIX_LENGTH } from '../../protocol/credentials.ts';
import { importEd25519, importX25519 } from '../../protocol/crypto.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import { sealCopy } from '../../protocol/envelope.ts';
import { encodePayload } from '../../protocol/payload.ts';
import { foldRoster } from '../../protocol/roster/fold.ts';
import type { RosterEntry } from '../../protocol/roster/forms.ts';
import { createGroup, joinByPassword, nextEntry, type RosterSigner } from '../../protocol/roster/making.ts';
import { emptyRoster, type RosterState } from '../../protocol/roster/state.ts';
import type { GroupEnvelope, GroupView } from '../../protocol/schemas/groups.ts';
import type { RosterPlace } from '../../protocol/schemas/rosters.ts';
import type { Examples, ExampleWorld } from './example.ts';
import { idOf } from './messages.ts';
import { EXAMPLE_TIME, type ExamplePerson, fixedBytes } from './people.ts';

/** The half of the derived password that the relay receives, and the key of the other half. */
const TOLD = encodeBase64Url(fixedBytes(0x63));
const PASSWORD_KEY = importEd25519(fixedBytes(0x64));
const TOKEN_ID = encodeBase64Url(fixedBytes(0x62, 16));
const TOKEN_SECRET = CREDENTIAL_PREFIX.group_token + encodeBase64Url(fixedBytes(0x52));

type Names =
  | 'searchGroups'
  | 'createGroup'
  | 'putListing'
  | 'admitToGroup'
  | 'getRoster'
  | 'postRosterEntry'
  | 'getGroup'
  | 'sendGroupEnvelopes'
  | 'createToken'
  | 'revokeToken';

export function groupExamples(world: ExampleWorld): Pick<Examples, Names> {
  const { ann, bob } = world;
  const chain = chainOf(ann, bob);
  const { founded, joined } = chain;
  const view = groupView([ann, bob], joined.state);
  const { id, name, verified, memberCount, hasPassword, join, creator } = view;
  const token = {
    id: TOKEN_ID,
    name: 'Release bot',
    prefix: TOKEN_SECRET.slice(0, SHOWN_PREFIX_LENGTH),
    createdAt: EXAMPLE_TIME,
  };
  const envelopes = sealPost(view, ann, [ann, bob]);
  return {
    searchGroups: [
      {
        title: 'Own groups',
        status: 200,
        query: { mine: true },
        response: {
          groups: [{ id, name, verified, memberCount, hasPassword, join, creator }],
          nextCursor: null,
        },
      },
    ],
    createGroup: [
      {
        title: 'A group with a password',
        status: 201,
        request: { entries: founded.entries, password: TOLD, listed: true },
        response: groupView([ann], founded.state),
      },
    ],
    putListing: [{ title: 'Out of the directory', status: 204, params: { id }, request: { listed: false } }],
    admitToGroup: [
      {
        title: 'With the group’s password',
        status: 200,
        params: { id },
        request: { password: TOLD },
        response: placeOf(founded.state),
      },
    ],
    getRoster: [
      {
        title: 'From the beginning',
        status: 200,
        params: { id },
        query: {},
        response: { entries: [...founded.entries, joined.entry], more: false },
      },
    ],
    postRosterEntry: [
      {
        title: 'Join with the group’s password',
        status: 200,
        params: { id },
        request: { entry: joined.entry },
        response: placeOf(joined.state),
      },
    ],
    getGroup: [
      {
        title: 'With a group token',
        status: 200,
        credential: 'group_token',
        params: { id },
        response: { ...view, botTokens: [{ ...token, lastUsedAt: null, revokedAt: null }] },
      },
    ],
    sendGroupEnvelopes: [
      {
        title: 'One copy for each device of each member',
        status: 200,
        credential: 'group_token',
        params: { id },
        request: { envelopes },
        response: {
          accepted: envelopes.length,
          results: envelopes.map((envelope) => ({ status: 'accepted', id: idOf(ann.address, envelope) })),
          missing: [],
          stale: [],
        },
      },
    ],
    createToken: [
      {
        title: 'A token for a bot',
        status: 201,
        params: { id },
        request: { name: token.name },
        response: { ...token, secret: TOKEN_SECRET },
      },
    ],
    revokeToken: [{ title: 'Revoke', status: 204, params: { id, tokenId: TOKEN_ID } }],
  };
}

/** A chain that Ann begins, with a password, and that Bob joins. */
function chainOf(ann: ExamplePerson, bob: ExamplePerson) {
  const now = Date.parse(EXAMPLE_TIME);
  const signers = [ann, bob].map(({ address, deviceKey }) => ({ address, deviceKey, list: 1 }));
  const [creator, guest] = signers as [RosterSigner, RosterSigner];
  const lists = new Map([ann, bob].map(({ address, deviceList }) => [address, deviceList]));
  const context = { now, deviceList: (address: string) => lists.get(address) ?? null };
  const fold = (state: RosterState, entry: RosterEntry) => foldRoster(state, [entry], context).state;

  const { groupId, entry: create } = createGroup(creator, 'Release team', now, fixedBytes(0x61, 16));
  const created = fold(emptyRoster(groupId), create);
  const joinKey = encodeBase64Url(PASSWORD_KEY.publicKey);
  const settings = {
    kind: 'change',
    description: 'Releases and their dates.',
    join: 'password',
    joinKey,
  } as const;
  const change = nextEntry(created, creator, settings, now);
  const state = fold(created, change);
  const entry = nextEntry(state, guest, joinByPassword(state, bob.address, PASSWORD_KEY), now);
  return { founded: { entries: [create, change], state }, joined: { entry, state: fold(state, entry) } };
}

function placeOf({ epoch, hash }: RosterState): RosterPlace {
  return { epoch, hash: hash ?? '' };
}

function groupView(people: ExamplePerson[], state: RosterState): GroupView {
  const members = people.map(({ address }) => address);
  return {
    id: state.groupId,
    name: state.name,
    verified: false,
    memberCount: members.length,
    hasPassword: true,
    join: state.join,
    description: state.description,
    creator: state.creator,
    createdAt: EXAMPLE_TIME,
    roster: placeOf(state),
    members,
    memberDeviceKeys: Object.fromEntries(people.map(({ address, keys }) => [address, keys.deviceKeys])),
    memberDevices: Object.fromEntries(
      people.map(({ address, keys }) => [address, { deviceList: keys.deviceList, sealKeys: keys.sealKeys }]),
    ),
    memberProfiles: Object.fromEntries(
      people.flatMap(({ address, keys }) => (keys.profile ? [[address, keys.profile]] : [])),
    ),
  };
}

/** A bot's text, sealed for the devices of all members; each copy with an ephemeral key and a nonce of its own. */
function sealPost(group: GroupView, creator: ExamplePerson, people: ExamplePerson[]): GroupEnvelope[] {
  const body = {
    id: encodeBase64Url(fixedBytes(0x0b, 16)),
    sender: creator.address,
    sentAt: EXAMPLE_TIME,
    seq: 1,
    kind: 'text',
    groupId: group.id,
    roster: group.roster,
    text: 'Version 2.4 is out.',
  };
  const payload = encodePayload({ channel: 'group', body }, null);
  const header = { asRequest: false, automated: true, senderListSequence: 1, recipientListSequence: 1 };
  return people.map(({ address, sealKey, sealKeyStatement }, index) => {
    const route = { from: creator.address, to: address };
    const copy = sealCopy(route, sealKey.publicKey, header, payload, {
      ephemeral: importX25519(fixedBytes(0x42 + index)),
      nonce: fixedBytes(0x42 + index, 12),
    });
    return {
      toAddress: address,
      recipientDeviceKey: sealKeyStatement.key,
      ciphertext: encodeBase64Url(copy.ciphertext),
      ephemeralPublicKey: encodeBase64Url(copy.ephemeralPublicKey),
      nonce: encodeBase64Url(copy.nonce),
    };
  });
}
