/**
 * Decisions in our app about two contradictory device lists of an independent client:
 * docs/protocol.md §5. Tests that apply to programs on the library as well are in user-trust.test.ts.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listHash } from '../../interop/device-list.ts';
import { callEngine } from '../../support/engine.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { WithApp } from './with-app.ts';

let hostile: HostileRelay;
let pair: WithApp;
beforeAll(async () => {
  hostile = await HostileRelay.start();
  pair = await WithApp.start(hostile.url);
  await pair.meet();
});
afterAll(async () => {
  await pair[Symbol.asyncDispose]();
  await hostile[Symbol.asyncDispose]();
});

it('§5: nothing is sealed while two lists contradict each other; the person’s decision stays', async () => {
  const { ada, engine } = pair;
  const announce = () => pair.shownBy(() => pair.write({ ...ada.hello(pair.grace), lists: [other] }));
  const other = await ada.nextList([]);
  await ada.certify(['api']);
  await pair.shownBy(async () => undefined);
  expect((await pair.answer('before')).state).toBe('sent');
  await announce();
  expect((await pair.answer('after')).problem).toMatchObject({ code: 'lists_differ' });
  const details = { address: ada.shownAddress, hash: listHash(ada.address, ada.list ?? other) };
  await callEngine(engine, 'people.chooseList', details);
  expect((await pair.answer('decided')).state).toBe('sent');
  await announce();
  expect((await pair.answer('and it stays so')).state).toBe('sent');
});
