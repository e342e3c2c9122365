/** Group messages that waited for an entry of the chain, and are released while their author is blocked. */
import { expect, test } from 'vitest';
import type { RelayApi } from '../../../../src/client/api.ts';
import type { Registration } from '../../../../src/client/identity/registration.ts';
import { AppGroups } from '../../../../src/engine/app-groups.ts';
import { Directory } from '../../../../src/engine/directory.ts';
import { openAccount as openRelayAccount } from '../../../../src/engine/identity/account.ts';
import { InboxReader } from '../../../../src/engine/receiving/inbox-reader.ts';
import { createGaps } from '../../../../src/engine/sending/gaps.ts';
import { createGreetings } from '../../../../src/engine/sending/greetings.ts';
import { createReceipts } from '../../../../src/engine/sending/receipts.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import type { GroupBody } from '../../../../src/protocol/payload.ts';
import { openAccount } from '../../../support/cached-account.ts';
import { Follower, GroupWorld } from '../../../support/followers.ts';
import { MINUTE, rosterFixture, signerOf } from '../../../support/rosters.ts';

const [ann, ben] = [rosterFixture('ann', 0x10), rosterFixture('ben', 0x20)];
const bytes = (byte: number) => encodeBase64Url(new Uint8Array(16).fill(byte));
const DEVICE = bytes(9);

test.each([
  ['blocked', 0, { base: 6, high: 6 }],
  ['not blocked', 1, { base: 5, high: 6 }],
])(
  'a receipt covers a message that was released while its author was %s only if it is shown',
  async (state, shown, known) => {
    const world = new GroupWorld([ann, ben]);
    const maker = new Follower(world, ann);
    const fields = { name: 'Walkers', description: '', join: { mode: 'open' as const }, listed: true };
    const { groupId } = (await maker.groups.create(fields)).group;
    await new Follower(world, ben).groups.join(groupId, {});
    await using cached = openAccount(ben.address, () => world.now);
    const { context } = cached;
    const relay = Object.assign(Object.create(world.relay), {
      groups: async () => [{ id: groupId }],
    }) as RelayApi;
    const directory = new Directory(context, relay, ben.address);
    const groups: AppGroups = new AppGroups({
      ...{ context, relay, directory, own: ben.address, talk: () => null },
      signer: () => signerOf(ben, 1),
      renewSigner: async () => undefined,
      onJoined: () => undefined,
      onChanged: ({ id }) => reader.groupChanged(id),
    });
    const deviceSeed = context.identity.get()?.deviceSeed ?? new Uint8Array();
    const identity = { address: ben.address, walletKey: null, deviceSeed };
    const account = { ...openRelayAccount(identity, 'http://127.0.0.1:9'), relay };
    const parts = { context, account, directory, groups };
    const gaps = createGaps(parts);
    const reader = new InboxReader(
      ...([parts, createGreetings(parts), {} as Registration, gaps, createReceipts(parts)] as const),
      () => undefined,
    );
    await groups.sync();

    world.pass(MINUTE);
    const { hash, epoch } = (await maker.groups.change(groupId, () => ({ kind: 'change', name: 'Hikers' })))
      .group.state;
    const message = (seq: number) => ({
      body: {
        ...{ id: bytes(seq), sender: ann.address, groupId, sentAt: encodeTime(world.now), seq },
        ...{ roster: { epoch, hash: hash ?? '' }, kind: 'text', text: `number ${seq}` },
      } as GroupBody,
      ...{
        deviceId: DEVICE,
        digest: bytes(seq),
        receivedAt: world.now,
        isRequested: false,
        suite: 2 as const,
      },
    });
    const waiting = message(5);
    const group = context.groups.find(groupId);
    context.groups.addPending(group?.id ?? 0, { ...waiting, proof: 'signed', bot: null });
    gaps.received({ ...waiting, channel: 'group' });

    if (state === 'blocked') context.own.mark('blocked', ann.address, true);
    await groups.known(groupId, 0);
    reader.judgeAgain();
    const chat = context.own.find(groupId)?.id ?? 0;
    expect(context.groups.pending(group?.id ?? 0)).toEqual([]);
    const texts = context.timelines.before(chat, null, 10).filter(({ body }) => body.kind === 'text');
    expect(texts).toHaveLength(shown);
    context.own.unblock(ann.address);
    gaps.received({ ...message(6), channel: 'group' });
    expect(context.gaps.find(groupId, DEVICE)?.gaps).toMatchObject(known);
  },
);
