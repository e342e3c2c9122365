/**
 * Bots of a group. A token of the relay allows their posts, and a key in the group's chain, unknown to any
 * relay, signs them. Token and key share a name, so no statement of the relay is needed to match them.
 */
import { Failure } from '../../base/failure.ts';
import { requireValidName } from '../../base/names.ts';
import { newBotSecret, readBotSecret } from '../../protocol/bots.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import type { RosterBot } from '../../protocol/roster/forms.ts';
import { MAX_BOTS } from '../../protocol/roster/limits.ts';
import type { RosterState } from '../../protocol/roster/state.ts';
import type { BotToken, NewToken } from '../../protocol/schemas/groups.ts';
import type { TokenIssuer } from '../relay.ts';
import type { Action } from './act.ts';
import type { RememberedGroup } from './chain-memory.ts';
import type { GroupDirectory } from './directory.ts';

type Groups<G extends RememberedGroup> = Pick<GroupDirectory<G>, 'seen' | 'change' | 'problem'>;

/** The secrets of a new bot, to show once. */
export interface CreatedBot {
  token: NewToken;
  /** `wxb_…`, unknown to any relay; null for a bot with a token only. */
  botKey: string | null;
}

/**
 * Creates a bot, token first. If this is interrupted, a token without a key in the chain cannot post anything
 * that members accept.
 * @param isSigned whether it signs with its own key; else the chain allows unsigned posts
 * @throws Failure 'bot_name_taken', 'bots_full', 'name_empty', 'name_long', 'roster_act_refused'; the errors
 * of changing a group
 */
export async function createBot<G extends RememberedGroup>(
  groups: Groups<G>,
  issuer: TokenIssuer,
  groupId: string,
  name: string,
  isSigned: boolean,
): Promise<CreatedBot> {
  requireValidName({ name });
  const { group, view } = await groups.seen(groupId, 0);
  if (view?.botTokens?.some((token) => isInForce(token) && token.name === name)) {
    throw new Failure('bot_name_taken', { name });
  }
  const botKey = isSigned ? newBotSecret() : null;
  const make = (state: RosterState) =>
    botKey === null ? allowUnsigned(state) : withBot(state, name, botKey);
  // Finds an invalid change before there is a token.
  make(group.state);
  const token = await issuer.createToken(groupId, name);
  try {
    await groups.change(groupId, make);
  } catch (error) {
    await issuer.revokeToken(groupId, token.id).catch(() => undefined);
    throw error;
  }
  return { token, botKey };
}

/**
 * Revokes a token, and the bot of its name. Unsigned posts are forbidden again with the last token that needs
 * them. The token is revoked even if the chain cannot be changed.
 * @param id of the token; or the key of a bot without a token, in base64url
 * @throws the errors of changing a group; UnverifiableError if the relay does not show the group
 */
export async function revokeBot<G extends RememberedGroup>(
  groups: Groups<G>,
  issuer: TokenIssuer,
  groupId: string,
  id: string,
): Promise<void> {
  const { group, view } = await groups.seen(groupId, 0);
  const all = view?.botTokens ?? [];
  const token = all.find((each) => each.id === id && isInForce(each));
  if (!all.some((each) => each.id === id) && group.state.bots.some(({ key }) => key === id)) {
    return removeBot(groups, groupId, id);
  }
  const others = all.filter((each) => each.id !== id && isInForce(each));
  try {
    if (token) await groups.change(groupId, (state) => withoutBot(state, token.name, others));
  } finally {
    await issuer.revokeToken(groupId, id);
  }
  const problem = view ? null : groups.problem(group);
  if (problem) throw problem;
}

/**
 * Removes a key from the chain.
 * @param key in base64url
 * @throws the errors of changing a group
 */
export async function removeBot<G extends RememberedGroup>(
  groups: Groups<G>,
  groupId: string,
  key: string,
): Promise<void> {
  await groups.change(groupId, ({ bots }) => {
    const left = bots.filter((bot) => bot.key !== key);
    return left.length < bots.length ? { kind: 'change', bots: left } : null;
  });
}

/** Reports whether a token belongs to a bot with its own key. */
export function isSignedToken({ bots }: Pick<RosterState, 'bots'>, token: BotToken): boolean {
  return isInForce(token) && bots.some(({ name }) => name === token.name);
}

/** Bots without a token, according to the relay's list of tokens. */
export function botsWithoutToken(
  { bots }: Pick<RosterState, 'bots'>,
  tokens: readonly BotToken[],
): readonly RosterBot[] {
  return bots.filter(({ name }) => !tokens.some((token) => isInForce(token) && token.name === name));
}

function isInForce({ revokedAt }: BotToken): boolean {
  return revokedAt === null;
}

function allowUnsigned({ unsignedBots }: RosterState): Action | null {
  return unsignedBots ? null : { kind: 'change', unsignedBots: true };
}

function withBot({ bots }: RosterState, name: string, secret: string): Action {
  if (bots.length >= MAX_BOTS) throw new Failure('bots_full', { most: MAX_BOTS });
  if (bots.some((bot) => bot.name === name)) throw new Failure('bot_name_taken', { name });
  const key = readBotSecret(secret);
  if (!key) throw new Error('this secret was just made');
  return { kind: 'change', bots: [...bots, { key: encodeBase64Url(key.publicKey), name }] };
}

function withoutBot(
  { bots, unsignedBots }: RosterState,
  name: string,
  others: readonly BotToken[],
): Action | null {
  const left = bots.filter((bot) => bot.name !== name);
  const isNeeded = others.some((token) => !left.some((bot) => bot.name === token.name));
  const fields = {
    ...(left.length < bots.length && { bots: left }),
    ...(unsignedBots && !isNeeded && { unsignedBots: false }),
  };
  return Object.keys(fields).length > 0 ? { kind: 'change', ...fields } : null;
}
