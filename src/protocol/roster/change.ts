/** Rights for changes. */
import { decodeTime } from '../encoding.ts';
import { depart, endCreatorsRights, type RosterDraft, uninvite } from './draft.ts';
import type { ChangeBody } from './forms.ts';
import { isCreatorOrAdmin, isMember, type RosterState } from './state.ts';
import { type RosterEnd, refuse } from './verdict.ts';

/** Fields that only the creator may set. Admins may set the rest. */
const CREATORS = [
  'join',
  'joinKey',
  'admins',
  'bots',
  'links',
  'unsignedBots',
  'creator',
] as const satisfies (keyof ChangeBody)[];

/** Reason why a change is invalid; null if valid. */
export function judgeChange(state: RosterState, body: ChangeBody): RosterEnd | null {
  if (!isMember(state, body.by)) return refuse('not_a_member');
  if (!isCreatorOrAdmin(state, body.by)) return refuse('not_allowed');
  if (state.creator !== body.by && CREATORS.some((field) => body[field] !== undefined)) {
    return refuse('not_allowed');
  }
  return (
    judgeRemovals(state, body) ??
    judgeTransfer(state, body) ??
    judgeAdmins(state, body) ??
    judgeMode(state, body)
  );
}

function judgeRemovals(state: RosterState, body: ChangeBody): RosterEnd | null {
  for (const address of body.remove ?? []) {
    if (!isMember(state, address)) return refuse('remove_not_a_member');
    const isFellow = state.admins.includes(address) && body.by !== state.creator;
    if (address === state.creator || isFellow) return refuse('remove_not_allowed');
  }
  return null;
}

/** Reports whether someone is still a member after the removals. */
function stays(state: RosterState, body: ChangeBody, address: string): boolean {
  return isMember(state, address) && !(body.remove?.includes(address) ?? false);
}

function judgeTransfer(state: RosterState, body: ChangeBody): RosterEnd | null {
  if (body.creator === undefined) return null;
  if (body.creator === state.creator || !stays(state, body, body.creator)) return refuse('wrong_creator');
  const sets = body.bots !== undefined || body.links !== undefined || body.unsignedBots !== undefined;
  return sets ? refuse('bots_with_transfer') : null;
}

function judgeAdmins(state: RosterState, body: ChangeBody): RosterEnd | null {
  const creator = body.creator ?? state.creator;
  const areMembers = (body.admins ?? []).every((admin) => admin !== creator && stays(state, body, admin));
  return areMembers ? null : refuse('admin_not_a_member');
}

function judgeMode(state: RosterState, body: ChangeBody): RosterEnd | null {
  const hasKey = body.joinKey !== undefined || state.joinKey !== null;
  return body.join === 'password' && !hasKey ? refuse('join_key_missing') : null;
}

/** Applies a change: removals first, then the new creator, then the replaced fields. */
export function applyChange(draft: RosterDraft, body: ChangeBody): void {
  const at = decodeTime(body.issued);
  for (const address of body.remove ?? []) depart(draft, address, at, true);
  uninvite(draft, body.uninvite ?? [], at);
  if (body.creator !== undefined) {
    draft.creator = body.creator;
    draft.admins = draft.admins.filter((admin) => admin !== body.creator);
    endCreatorsRights(draft);
  }
  draft.admins = body.admins ?? draft.admins;
  draft.bots = body.bots ?? draft.bots;
  draft.links = body.links ?? draft.links;
  draft.unsignedBots = body.unsignedBots ?? draft.unsignedBots;
  draft.name = body.name ?? draft.name;
  draft.description = body.description ?? draft.description;
  draft.join = body.join ?? draft.join;
  draft.joinKey = body.joinKey ?? draft.joinKey;
  draft.timer = body.timer ?? draft.timer;
}
