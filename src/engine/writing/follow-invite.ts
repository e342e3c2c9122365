/** Following an invite link to a person: an accepted chat whose first messages have the link's token. */
import { Failure } from '../../base/failure.ts';
import type { PersonInvite } from '../../protocol/invite.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { continueAccepted } from './after-accepting.ts';

/**
 * Opens the chat with the person of a link to the own server. A blocked person stays blocked.
 * @throws Failure 'yourself', 'address_unknown'
 */
export async function followPerson(
  parts: EngineParts,
  { address, token }: Pick<PersonInvite, 'address' | 'token'>,
): Promise<StoredConversation> {
  const { context } = parts;
  const { contacts, conversations, now, timelines } = context;
  const { account, directory } = requireOnline(parts);
  if (address === account.address) throw new Failure('yourself');
  if ((await directory.contact(address)).deviceList === null) throw new Failure('address_unknown');
  const { id, state } = context.transaction(() => {
    const found = conversations.ensure(contacts.ensure(address, now()).id, 'accepted', now());
    if (found.state === 'request') conversations.setState(found.id, 'accepted');
    // A person who has written needs no token to accept the answer.
    const isNew = !timelines.hasReceived(found.id, 'signed');
    if (found.state !== 'blocked' && isNew) conversations.setInviteToken(found.id, token);
    return found;
  });
  const conversation = conversations.get(id);
  if (!conversation) throw new Error('a conversation that was just ensured is missing');
  if (state === 'request') {
    continueAccepted(parts, conversation);
    // They can be answered now.
    context.emit('messages.changed', { conversationId: String(id) });
  }
  context.emit('conversations.changed', { ids: [String(id)] });
  return conversation;
}
