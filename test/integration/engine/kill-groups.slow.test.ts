/**
 * A kill between any two steps of a group: nothing is lost, nothing is shown twice, and no hidden group is
 * created.
 */
import { expect, test } from 'vitest';
import type { Conversation } from '../../../src/bridge/shapes/conversation.ts';
import { type Callable, callEngine, eventually, setUp, type TestEngine } from '../../support/engine.ts';
import { KillableEngine } from '../../support/killable-engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { CuttingProxy, type Exchange } from '../../support/proxy.ts';
import { ROOMY_RATES } from '../../support/rates.ts';

type Place = Pick<Exchange, 'stage'> & { ends: string };

/** Kill points when Ann writes after someone has joined: the post reports them, the group is read, the rest is posted. */
const PLACES: Place[] = [
  { ends: '/envelopes', stage: 'before' },
  { ends: '/envelopes', stage: 'after' },
  { ends: '/groups/GROUP', stage: 'before' },
  { ends: '/groups/GROUP', stage: 'after' },
];

async function groupsOf(engine: Callable): Promise<Conversation[]> {
  const all = await callEngine(engine, 'conversations.list', {});
  return all.filter(({ kind }) => kind === 'group');
}

async function textsOf(engine: Callable): Promise<string[]> {
  const [group] = await groupsOf(engine);
  if (!group) return [];
  const page = { conversationId: group.id, limit: 200 };
  const { messages } = await callEngine(engine, 'messages.list', page);
  return messages.flatMap(({ kind, text }) => (kind === 'text' ? [text] : []));
}

test('a kill while creating a group and while writing into it loses nothing', async () => {
  await using resources = new AsyncDisposableStack();
  const proxy = resources.use(await CuttingProxy.withRelay({ limits: { rates: ROOMY_RATES } }));
  // Tokens distinguish the calls, and a poll reveals the device of its token.
  const devices = new Map<string, string>();
  let victim = '';
  let place: Place | null = null;
  let killed = Promise.withResolvers<void>();
  const ann = resources.use(await new KillableEngine(proxy.url).start());
  proxy.cuts = ({ path, caller, stage }) => {
    const device = path.match(/device=([\w-]+)/)?.[1];
    if (device !== undefined) devices.set(caller, device);
    if (place?.stage !== stage || !path.endsWith(place.ends) || devices.get(caller) !== victim) return false;
    place = null;
    void ann.kill().then(killed.resolve);
    return true;
  };
  const killAt = (next: Place) => {
    killed = Promise.withResolvers();
    place = next;
  };
  victim = (await setUp(ann, 'ann')).deviceId;
  const others: TestEngine[] = [];
  const join = async (groupId: string) => {
    const engine = resources.use(await new LocalEngine(proxy.url).start());
    await setUp(engine, `member_${others.length}`);
    await callEngine(engine, 'groups.join', { groupId, password: null });
    others.push(engine);
  };

  killAt({ ends: '/groups', stage: 'after' });
  const birds = { name: 'Birds', description: '', join: { mode: 'open' as const } };
  await callEngine(ann, 'groups.create', birds).catch(() => undefined);
  await killed.promise;
  await ann.start();
  // The relay has created it and shows it to Ann, who does not create another.
  const [made] = await eventually(
    () => groupsOf(ann),
    ({ length }) => length > 0,
  );
  if (made?.kind !== 'group') throw new Error('there is no group');
  expect(made.group).toMatchObject({ name: 'Birds', isCreator: true, memberCount: 1 });
  const { groupId } = made.group;
  await join(groupId);

  const sent: string[] = [];
  for (const next of PLACES) {
    await join(groupId);
    const text = `${next.stage} ${next.ends}`;
    sent.push(text);
    killAt({ ...next, ends: next.ends.replace('GROUP', groupId) });
    await callEngine(ann, 'messages.send', { conversationId: made.id, text }).catch(() => undefined);
    await killed.promise;
    await ann.start();
    for (const engine of [ann, ...others]) {
      await eventually(
        () => textsOf(engine),
        (all) => all.includes(text),
      );
    }
  }
  await eventually(
    () => callEngine(ann, 'connection.get', {}),
    ({ queued, state }) => queued === 0 && state === 'online',
  );
  expect(await textsOf(ann)).toEqual(sent);
  expect(await groupsOf(ann)).toHaveLength(1);
  for (const engine of others) {
    const texts = await textsOf(engine);
    expect(texts).toEqual(sent.slice(-texts.length));
  }
});
