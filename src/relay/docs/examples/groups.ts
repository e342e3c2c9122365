/**
 * Examples of groups, of posts into them, and of their bot tokens.
 */
import { CREDENTIAL_PREFIX, SHOWN_PREFIX_LENGTH } from '../../../protocol/credentials.ts';
import { importX25519 } from '../../../protocol/crypto.ts';
import { encodeBase64Url } from '../../../protocol/encoding.ts';
import { sealCopy } from '../../../protocol/envelope.ts';
import { membersHash } from '../../../protocol/members-hash.ts';
import { encodePayload } from '../../../protocol/payload.ts';
import type { GroupEnvelope, GroupView } from '../../../protocol/schemas/groups.ts';
import type { Examples, ExampleWorld } from './example.ts';
import { idOf } from './messages.ts';
import { EXAMPLE_TIME, type ExamplePerson, fixedBytes } from './people.ts';

const GROUP_ID = 'grp_example';
const TOKEN_ID = encodeBase64Url(fixedBytes(0x62, 16));
const TOKEN_SECRET = CREDENTIAL_PREFIX.group_token + encodeBase64Url(fixedBytes(0x52));

type Names =
  | 'searchGroups'
  | 'createGroup'
  | 'changeGroup'
  | 'getGroup'
  | 'joinGroup'
  | 'inviteToGroup'
  | 'withdrawInvitation'
  | 'removeMember'
  | 'sendGroupEnvelopes'
  | 'createToken'
  | 'deleteToken';

export function groupExamples(world: ExampleWorld): Pick<Examples, Names> {
  const { ann, bob } = world;
  const view = groupView([ann, bob]);
  const { id, name, verified, memberCount, hasPassword } = view;
  const token = {
    id: TOKEN_ID,
    name: 'Release bot',
    prefix: TOKEN_SECRET.slice(0, SHOWN_PREFIX_LENGTH),
    createdAt: EXAMPLE_TIME,
  };
  const envelopes = sealPost(view, [ann, bob]);
  return {
    searchGroups: [
      {
        title: 'Own groups',
        status: 200,
        query: { mine: true },
        response: { groups: [{ id, name, verified, memberCount, hasPassword }], nextCursor: null },
      },
    ],
    createGroup: [
      {
        title: 'A group that takes a password to join',
        status: 201,
        request: { name, description: view.description, password: 'correct horse battery staple' },
        response: groupView([ann]),
      },
    ],
    changeGroup: [{ title: 'Another name', status: 200, params: { id }, request: { name }, response: view }],
    getGroup: [
      {
        title: 'With a group token',
        status: 200,
        credential: 'group_token',
        params: { id },
        response: { ...view, botTokens: [{ ...token, lastUsedAt: null, revokedAt: null }] },
      },
    ],
    joinGroup: [
      {
        title: 'With a password',
        status: 200,
        params: { id },
        request: { password: 'correct horse battery staple' },
        response: view,
      },
    ],
    inviteToGroup: [{ title: 'Invite', status: 204, params: { id, address: bob.address } }],
    withdrawInvitation: [{ title: 'Withdraw', status: 204, params: { id, address: bob.address } }],
    removeMember: [{ title: 'Leave', status: 204, params: { id, address: bob.address } }],
    sendGroupEnvelopes: [
      {
        title: 'One copy for each device of each member',
        status: 200,
        credential: 'group_token',
        params: { id },
        request: { envelopes },
        response: {
          accepted: envelopes.length,
          results: envelopes.map((envelope) => ({ status: 'accepted', id: idOf(view.creator, envelope) })),
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
    deleteToken: [{ title: 'Revoke', status: 204, params: { id, tokenId: TOKEN_ID } }],
  };
}

function groupView(people: ExamplePerson[]): GroupView {
  const [creator] = people;
  if (!creator) throw new Error('a group has a creator');
  const members = people.map(({ address }) => address);
  return {
    id: GROUP_ID,
    name: 'Release team',
    verified: false,
    memberCount: members.length,
    hasPassword: true,
    description: 'What goes out, and when.',
    creator: creator.address,
    createdAt: EXAMPLE_TIME,
    members,
    memberDeviceKeys: Object.fromEntries(people.map(({ address, keys }) => [address, keys.deviceKeys])),
    memberDevices: Object.fromEntries(
      people.map(({ address, keys }) => [address, { deviceList: keys.deviceList, sealKeys: keys.sealKeys }]),
    ),
    memberProfiles: Object.fromEntries(
      people.flatMap(({ address, keys }) => (keys.profile ? [[address, keys.profile]] : [])),
    ),
    membersHash: membersHash(members),
  };
}

/** A bot's text, sealed for everybody's device; each copy with an ephemeral key and a nonce of its own. */
function sealPost(group: GroupView, people: ExamplePerson[]): GroupEnvelope[] {
  const body = {
    id: encodeBase64Url(fixedBytes(0x0b, 16)),
    sender: group.creator,
    sentAt: EXAMPLE_TIME,
    seq: 1,
    kind: 'text',
    groupId: group.id,
    members: group.membersHash,
    text: 'Version 2.4 is out.',
  };
  const payload = encodePayload({ channel: 'group', body }, null);
  const header = { asRequest: false, automated: true, senderListSequence: 1, recipientListSequence: 1 };
  return people.map(({ address, sealKey, sealKeyStatement }, index) => {
    const route = { from: group.creator, to: address };
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
