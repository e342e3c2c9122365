/**
 * Creating and revoking a bot, in two steps at two places: the remaining state if the second step fails, or
 * the first answer is false.
 */
import { beforeEach, expect, test } from 'vitest';
import { Journal } from '../../../../src/client/identity/journal/journal.ts';
import {
  botsWithoutToken,
  createBot,
  isSignedToken,
  revokeBot,
} from '../../../../src/messaging/groups/bots.ts';
import type { RememberedGroup } from '../../../../src/messaging/groups/chain-memory.ts';
import { GroupDirectory, PENDING_FOR } from '../../../../src/messaging/groups/directory.ts';
import { RelayRefusal, type TokenIssuer } from '../../../../src/messaging/relay.ts';
import { KeyDirectory } from '../../../../src/messaging/trust/directory.ts';
import { readBotSecret } from '../../../../src/protocol/bots.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import { MAX_BOTS } from '../../../../src/protocol/roster/limits.ts';
import type { BotToken } from '../../../../src/protocol/schemas/groups.ts';
import { ChainRelay } from '../../../support/chain-relay.ts';
import { fixedBytes } from '../../../support/identities.ts';
import { BEGINNING, MINUTE, rosterFixture, signerOf } from '../../../support/rosters.ts';

const ann = rosterFixture('ann', 0x10);

let now = BEGINNING;
let relay: ChainRelay;
let tokens: BotToken[];
let groups: GroupDirectory<RememberedGroup>;
let journal: Journal;
let id: string;
let calls: string[];
/** Called for each posted entry; the relay accepts it unless this throws. */
let onPost = () => {};

const issuer: TokenIssuer = {
  async createToken(_, name) {
    const token = { id: `token${tokens.length}`, name, prefix: 'gtk_live_abc', createdAt: encodeTime(now) };
    tokens.push({ ...token, lastUsedAt: null, revokedAt: null });
    return { ...token, secret: 'gtk_live_secret' };
  },
  async revokeToken(_, tokenId) {
    tokens = tokens.map((each) => (each.id === tokenId ? { ...each, revokedAt: encodeTime(now) } : each));
  },
};

beforeEach(async () => {
  now = BEGINNING;
  relay = new ChainRelay([ann], now);
  tokens = [];
  calls = [];
  onPost = () => {};
  journal = new Journal(null, now);
  const source = {
    keys: async (address: string) => relay.keys(address),
    keyHistories: (wants: Parameters<ChainRelay['keyHistories']>[0]) => relay.keyHistories(wants),
    pqKeys: async () => ({}),
  };
  groups = new GroupDirectory({
    source: {
      group: async () => ({ ...(await relay.group()), botTokens: tokens }),
      foundGroup: (request) => relay.foundGroup(request),
      admit: () => relay.admit(),
      roster: (group, after) => relay.roster(group, after),
      appendEntry: async (_, entry) => {
        onPost();
        return relay.appendEntry(id, entry, ann.address);
      },
      keyHistories: (wants) => relay.keyHistories(wants),
    },
    keys: new KeyDirectory({ source, memory: journal, now: () => now, own: null }),
    memory: journal.chains,
    own: () => ann.address,
    signer: () => signerOf(ann),
    renewSigner: async () => {},
    now: () => now,
    provesEarly: false,
    talk: () => ({
      requestEntry: (_, sender) => void calls.push(sender),
      answer() {},
      spread() {},
      inform() {},
      passOn() {},
    }),
  });
  const made = await groups.create({ name: 'Builds', description: '', join: { mode: 'open' }, listed: true });
  id = made.group.groupId;
});

const inForce = () => tokens.filter(({ revokedAt }) => revokedAt === null).map(({ name }) => name);
const state = () => relay.state();
const names = () => state().bots.map(({ name }) => name);
const make = (name: string, isSigned = true) => createBot(groups, issuer, id, name, isSigned);
const away = () => {
  throw new RelayRefusal(503, 'unavailable', '');
};

test('a bot has a token and a key of one name, and ends with both', async () => {
  const { token, botKey } = await make('builds');
  expect([inForce(), names()]).toEqual([['builds'], ['builds']]);
  const key = readBotSecret(botKey ?? '');
  expect(state().bots[0]?.key).toBe(key && encodeBase64Url(key.publicKey));
  expect(tokens.map((each) => isSignedToken(state(), each))).toEqual([true]);
  await revokeBot(groups, issuer, id, token.id);
  expect([inForce(), names(), state().unsignedBots]).toEqual([[], [], false]);
});

test('creates no token if the group refuses the key', async () => {
  onPost = away;
  await expect(make('builds')).rejects.toMatchObject({ status: 503 });
  await expect(make('alone', false)).rejects.toMatchObject({ status: 503 });
  expect([inForce(), names(), state().unsignedBots]).toEqual([[], [], false]);
});

test('revokes a token even if its key stays, and can remove the key later', async () => {
  const { token } = await make('builds');
  onPost = away;
  await expect(revokeBot(groups, issuer, id, token.id)).rejects.toMatchObject({ status: 503 });
  expect([inForce(), names()]).toEqual([[], ['builds']]);
  const [lost] = botsWithoutToken(state(), tokens);
  onPost = () => {};
  await revokeBot(groups, issuer, id, lost?.key ?? '');
  expect(names()).toEqual([]);
});

test('revoking an old token keeps a new bot of its name', async () => {
  const { token } = await make('builds');
  await revokeBot(groups, issuer, id, token.id);
  await make('builds');
  await revokeBot(groups, issuer, id, token.id);
  expect([inForce(), names()]).toEqual([['builds'], ['builds']]);
});

test('a relay that hides or invents tokens removes and adds no key', async () => {
  await make('builds');
  tokens = [{ ...(tokens[0] as BotToken), id: 'made-up', name: 'weather' }];
  await revokeBot(groups, issuer, id, 'made-up');
  expect(names()).toEqual(['builds']);
  // A name in the chain is used, regardless of the list that the relay returns.
  tokens = [];
  await expect(make('builds')).rejects.toMatchObject({ code: 'bot_name_taken' });
  expect(tokens).toEqual([]);
});

test('creates no token beyond the limit of bots', async () => {
  const bots = Array.from({ length: MAX_BOTS }, (_, n) => ({
    key: encodeBase64Url(fixedBytes(n + 1)),
    name: `bot ${n}`,
  }));
  await groups.change(id, () => ({ kind: 'change', bots }));
  await expect(make('one more')).rejects.toMatchObject({ code: 'bots_full' });
  expect(tokens).toEqual([]);
  await make('a token alone', false);
});

/** A bot's post that names an entry by its number; unknown to the relay if there are fewer. */
const post = (key: string, epoch: number) => ({
  groupId: id,
  sender: ann.address,
  authorship: { by: 'bot' as const, isOf: (other: string) => other === key },
  roster: {
    epoch,
    hash: relay.entries[epoch - 1]
      ? (journal.chains.hashAt(id, epoch) ?? '')
      : encodeBase64Url(fixedBytes(9)),
  },
  sentAt: now,
  receivedAt: now,
  isRequested: false,
  isSigned: true,
  freshFor: 0,
});

test('delays a bot’s post that names a hidden entry for a day and asks its owner, not a stranger’s', async () => {
  await make('builds');
  const key = state().bots[0]?.key ?? '';
  const message = post(key, 9);
  expect(await groups.judgeMessage(message)).toMatchObject({ is: 'pending', bot: { name: 'builds' } });
  expect(calls).toEqual([ann.address]);
  expect(await groups.judgeMessage(post('stranger', 9))).toEqual({ is: 'refused', why: 'unknown_bot' });
  expect(calls).toEqual([ann.address]);
  now += PENDING_FOR;
  const group = journal.chains.find(id) as RememberedGroup;
  expect(groups.judgePending(group, message, true)).toMatchObject({ is: 'shown', isBeyond: true });
});

test('a post of a new bot causes one reading of the chain', async () => {
  const bot = { key: encodeBase64Url(fixedBytes(7)), name: 'new' };
  const other = new GroupDirectory<RememberedGroup>({
    source: relay,
    keys: new KeyDirectory({
      source: {
        keys: async (address: string) => relay.keys(address),
        keyHistories: (wants: Parameters<ChainRelay['keyHistories']>[0]) => relay.keyHistories(wants),
        pqKeys: async () => ({}),
      },
      memory: new Journal(null, now),
      now: () => now,
      own: null,
    }),
    memory: new Journal(null, now).chains,
    own: () => ann.address,
    signer: () => signerOf(ann),
    renewSigner: async () => {},
    now: () => now,
    provesEarly: false,
  });
  await other.seen(id, 0);
  now += MINUTE;
  relay.now = now;
  await groups.change(id, () => ({ kind: 'change', bots: [bot] }));
  // It names an entry that this reader knows: the bot copied it before its key was added.
  const early = { ...post(bot.key, 1), freshFor: 0 };
  expect(await other.judgeMessage(early)).toMatchObject({ is: 'shown', bot });
});
