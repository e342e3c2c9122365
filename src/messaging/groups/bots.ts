/**
 * Bots of a group: a token of the relay's lets them post, and a key in the group's chain, which no relay has, makes what
 * they post theirs. Token and key go by one name; the relay's word for which belong together is not needed.
 */
import { Failure } from '../../base/failure.ts';
import { requireWords } from '../../base/names.ts';
import { newBotSecret, readBotSecret } from '../../protocol/bots.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import type { RosterBot } from '../../protocol/roster/forms.ts';
import { MOST_BOTS } from '../../protocol/roster/limits.ts';
import type { RosterState } from '../../protocol/roster/state.ts';
import type { BotToken, NewToken } from '../../protocol/schemas/groups.ts';
import type { TokenMint } from '../relay.ts';
import type { Action } from './act.ts';
import type { RememberedGroup } from './chain-memory.ts';
import type { GroupDirectory } from './directory.ts';

type Groups<G extends RememberedGroup> = Pick<GroupDirectory<G>, 'seen' | 'change' | 'problem'>;

/** The secrets of a new bot, to be shown once. */
export interface MintedBot {
  token: NewToken;
  /** `wxb_…`, which no relay has seen; null for a token alone. */
  botKey: string | null;
}

/**
 * Makes a bot. The token comes first: one that has no key in the chain, because this ended in between, says nothing that
 * members believe.
 * @param isSigned whether it signs with a key of its own. Else the chain is made to allow what nobody signed
 * @throws Failure 'bot_name_taken', 'bots_full', 'name_empty', 'name_long', 'roster_act_refused'; what changing a group throws
 */
export async function mintBot<G extends RememberedGroup>(
  groups: Groups<G>,
  mint: TokenMint,
  groupId: string,
  name: string,
  isSigned: boolean,
): Promise<MintedBot> {
  requireWords({ name });
  const { group, view } = await groups.seen(groupId, 0);
  if (view?.botTokens?.some((token) => isInForce(token) && token.name === name)) {
    throw new Failure('bot_name_taken', { name });
  }
  const botKey = isSigned ? newBotSecret() : null;
  const make = (state: RosterState) =>
    botKey === null ? allowUnsigned(state) : withBot(state, name, botKey);
  // What would not hold is found before there is a token.
  make(group.state);
  const token = await mint.createToken(groupId, name);
  try {
    await groups.change(groupId, make);
  } catch (error) {
    await mint.deleteToken(groupId, token.id).catch(() => undefined);
    throw error;
  }
  return { token, botKey };
}

/**
 * Ends a token, and the bot of its name. The permission for what nobody signed ends with the last token that needs it. The
 * token ends also where the chain cannot be changed.
 * @param id of the token; or the key of a bot that no token posts for, in base64url
 * @throws what changing a group throws; UnverifiableError where the relay does not show the group
 */
export async function revokeBot<G extends RememberedGroup>(
  groups: Groups<G>,
  mint: TokenMint,
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
    await mint.deleteToken(groupId, id);
  }
  const problem = view ? null : groups.problem(group);
  if (problem) throw problem;
}

/** Takes a key out of the chain. @param key in base64url @throws what changing a group throws */
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

/** Whether a token posts for a bot with a key of its own. */
export function isSignedToken({ bots }: Pick<RosterState, 'bots'>, token: BotToken): boolean {
  return isInForce(token) && bots.some(({ name }) => name === token.name);
}

/** The bots that no token posts for, as far as the relay shows its tokens. */
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
  if (bots.length >= MOST_BOTS) throw new Failure('bots_full', { most: MOST_BOTS });
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
