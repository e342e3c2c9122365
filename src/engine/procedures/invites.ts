/** Invite links: reading and accepting one, and those of the person. */

import { Failure } from '../../base/failure.ts';
import { isTransient, RelayRefusal } from '../../messaging/relay.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import { importEd25519 } from '../../protocol/crypto.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import type { GroupInvite } from '../../protocol/invite.ts';
import { toLabel } from '../../protocol/label.ts';
import { cancelInvite } from '../invites/own-invites.ts';
import { isAt, linkFailure, readInvite, readInviteTo } from '../invites/read-invite.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { followPerson } from '../writing/follow-invite.ts';
import type { Procedures } from './implementation.ts';
import { createLink, listLinks } from './own-links.ts';

type Names = Extract<keyof Procedures, `invites.${string}`>;

export function inviteProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;
  const { conversations, groups } = context;

  const proofOf = ({ seed }: GroupInvite) => ({ link: importEd25519(decodeBase64Url(seed)) });

  /**
   * The signed name of a group that the person is not in; null if it is unknown.
   * @throws Failure if the link is no longer valid
   */
  const nameOf = async (invite: GroupInvite): Promise<string | null> => {
    try {
      const shown = await parts.online?.groups.preview(invite.groupId, proofOf(invite));
      return (shown && toLabel(shown.name)) || null;
    } catch (error) {
      // Joining reports these failures. Until then the link can be kept.
      if (isTransient(error) || !(error instanceof RelayRefusal)) return null;
      throw linkFailure(error);
    }
  };

  /** The public handle of an address at the own server; null without one, or if the server gives no proven answer. */
  const handleOf = async (address: string): Promise<string | null> => {
    try {
      return (await parts.online?.directory.handleOf(address)) ?? null;
    } catch (error) {
      // The question shows the address alone. Accepting the link reports the failure.
      if (error instanceof Failure) return null;
      throw error;
    }
  };

  const joinGroup = async (invite: GroupInvite): Promise<string> => {
    const own = requireOnline(parts).groups;
    const known = groups.find(invite.groupId);
    const { id } = known?.joined
      ? known
      : (
          await own.join(invite.groupId, proofOf(invite)).catch((error: unknown) => {
            throw linkFailure(error);
          })
        ).group;
    return String(conversations.ensureForGroup(id, context.now()).id);
  };

  return {
    'invites.read': async ({ text }) => {
      const invite = readInvite(text);
      const relayUrl = parts.online?.account.relay.baseUrl;
      const isSameServer = relayUrl !== undefined && isAt(invite, relayUrl);
      const { relay: server, invitation } = invite;
      const place = { server, isSameServer, invitation };
      if (isSameServer && invite.to === 'person' && invite.address === parts.online?.account.address)
        throw new Failure('invite_own');
      if (invite.to === 'person') {
        const handle = isSameServer ? await handleOf(invite.address) : null;
        return { to: 'person', address: toChecksumAddress(invite.address), handle, ...place };
      }
      const { groupId } = invite;
      const known = groups.find(groupId);
      const isMember = isSameServer && known?.joined === true;
      const name = isMember ? toLabel(known.state.name) || null : isSameServer ? await nameOf(invite) : null;
      return { to: 'group', groupId, name, isMember, ...place };
    },

    'invites.accept': async ({ text }) => {
      const { account } = requireOnline(parts);
      const invite = readInviteTo(account.relay.baseUrl, text);
      return {
        conversationId:
          invite.to === 'group' ? await joinGroup(invite) : String((await followPerson(parts, invite)).id),
      };
    },

    'invites.list': () => ({ links: listLinks(parts) }),
    'invites.create': async () => ({ link: await createLink(parts) }),
    'invites.cancel': ({ id }) => {
      cancelInvite(context, id);
      return {};
    },
  };
}
