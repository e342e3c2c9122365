/**
 * Actions of programs on messages, and those received from others: reactions, edits, deletions, pins. The library
 * stores no messages, so permissions are checked only by the references.
 */
import type { Authorship, Place } from '../messaging/contents/authorship.ts';
import { findControlProblem } from '../messaging/contents/control-rights.ts';
import { findEditProblem } from '../messaging/contents/edits.ts';
import type { Ref } from '../messaging/contents/fields.ts';
import type { Content } from '../messaging/contents/kind.ts';
import { DeleteContent } from '../messaging/contents/kinds/delete.ts';
import { EditContent } from '../messaging/contents/kinds/edit.ts';
import { PinContent } from '../messaging/contents/kinds/pin.ts';
import { drawnEmoji, ReactionContent } from '../messaging/contents/kinds/reaction.ts';
import type { SenderProof } from '../messaging/contents/rights.ts';
import { newWords } from '../messaging/contents/text.ts';
import type { RememberedGroup } from '../messaging/groups/chain-memory.ts';
import type { Received } from '../messaging/receiving/received.ts';
import { Failure } from './errors.ts';
import { decodeRef, type NamedMessage } from './message-ref.ts';

/** A reference to another message of the conversation: by sender, id and digest. */
export interface Reference {
  sender: string;
  id: string;
  /** Digest of the text as its sender sent it. */
  digest: string;
}

/** An action of its sender on a message. `target`: compare it with `id` and `digest` of sent or received messages. */
export type Control =
  /** All current emoji of this sender on the message; an empty list removes them. */
  | { kind: 'reaction'; target: Reference; emoji: string[] }
  /** The new text, or the new caption of its files; empty if it has none now. */
  | { kind: 'edit'; target: Reference; text: string }
  /** Deleted for everyone. */
  | { kind: 'delete'; targets: Reference[] }
  | { kind: 'pin'; target: Reference; pinned: boolean };

/** A received or sent message, or only its `ref`. */
export type Named = string | { ref: string };

/** @throws Failure message_ref_malformed */
export function nameOf(message: Named): NamedMessage {
  return decodeRef(typeof message === 'string' ? message : message.ref);
}

/** The reference in wire form, without fields of later versions. */
export function referenceOf({ sender, id, digest }: Ref): Reference {
  return { sender, id, digest };
}

/** @throws Failure reaction_malformed */
export function reactionTo({ name: target }: NamedMessage, emoji: readonly string[]): Content {
  const content = { kind: 'reaction', target, emoji: [...new Set(emoji)] };
  const isSound = ReactionContent.safeParse(content).success;
  if (!isSound || emoji.some((each) => drawnEmoji(each) !== each)) throw new Failure('reaction_malformed');
  return content;
}

/** A new text, or for files a new caption; a blank one removes it. @throws Failure message_empty, message_too_long, caption_too_long, edit_too_late */
export function editOf(
  { name: target, hasFiles, sentAt }: NamedMessage,
  given: string,
  now: number,
): Content {
  const words = newWords(given, hasFiles);
  const times = { sentAt: Math.max(now, sentAt + 1), receivedAt: now };
  if (findEditProblem({ sentAt, receivedAt: sentAt }, times, true) !== null)
    throw new Failure('edit_too_late');
  return { kind: 'edit', target, ...words };
}

/**
 * Checks that recipients would accept it.
 * @param authorship the program's own
 * @throws Failure message_not_yours
 */
export function requireRight(
  kind: 'reaction' | 'edit' | 'delete',
  authorship: Authorship,
  { name, proof }: NamedMessage,
  place: Place,
): void {
  const botId = authorship.by === 'bot' ? authorship.botId : '';
  const target = authorshipOf(proof, name.sender, botId);
  if (findControlProblem(kind, authorship, place, target) !== null) throw new Failure('message_not_yours');
}

/** @param botId of the bot, if one signed it */
function authorshipOf(proof: SenderProof, address: string, botId: string): Authorship {
  if (proof === 'signed') return { by: 'person', address };
  if (proof === 'bot') return { by: 'bot', address, botId };
  return { by: 'nobody', address, via: proof === 'api' ? 'api_key' : 'group_token' };
}

/**
 * The action of a control. Null for another kind, and for one that its sender may not send.
 * @param own the program's address
 */
export function controlOf(own: string, received: Received<RememberedGroup>): Control | null {
  const control = controlIn(received);
  if (!control) return null;
  const { body, proof } = received;
  const { sender } = body;
  const bot = received.channel === 'group' ? received.bot : null;
  const authorship = authorshipOf(proof, sender, bot && 'key' in bot ? bot.key : '');
  const isFair = (target: Reference) => {
    // Only the program knows whether it sent the target: it stores its messages.
    const author: Authorship =
      target.sender === sender ? authorship : { by: 'person', address: target.sender };
    return findControlProblem(control.kind, authorship, placeOf(own, received), author) === null;
  };
  if (control.kind !== 'delete') return isFair(control.target) ? control : null;
  const targets = control.targets.filter(isFair);
  return targets.length === 0 ? null : { ...control, targets };
}

function controlIn({ judged, body }: Received<RememberedGroup>): Control | null {
  if (judged.as !== 'control') return null;
  const [reaction, edit, deletion, pin] = [ReactionContent, EditContent, DeleteContent, PinContent].map(
    (schema) => schema.safeParse(body).data,
  ) as [ReactionContent?, EditContent?, DeleteContent?, PinContent?];
  if (reaction) return { kind: 'reaction', target: referenceOf(reaction.target), emoji: [...reaction.emoji] };
  if (edit) return { kind: 'edit', target: referenceOf(edit.target), text: edit.text ?? edit.caption ?? '' };
  if (deletion) return { kind: 'delete', targets: deletion.targets.map(referenceOf) };
  return pin ? { kind: 'pin', target: referenceOf(pin.target), pinned: pin.pinned } : null;
}

function placeOf(self: string, received: Received<RememberedGroup>): Place {
  if (received.channel === 'direct')
    return { channel: 'direct', self, peer: received.body.peer, creator: null, admins: [] };
  const admins = received.manages ? [received.body.sender] : [];
  return { channel: 'group', self, peer: null, creator: null, admins };
}
