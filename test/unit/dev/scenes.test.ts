/**
 * Scenes: their answers are answers that an engine could give, and they are the same each time.
 */
import { expect, test } from 'vitest';
import { fakeBridge } from '../../../dev/fake/bridge.ts';
import { sceneNames, scenes } from '../../../dev/scenes/index.ts';

test.each(sceneNames)('the answers of scene %s match the contract', async (name) => {
  const { calls } = fakeBridge(scenes[name]());
  // The bridge checks each answer against its schema, and throws.
  const answers = [
    calls['app.state']({}),
    calls['lock.state']({}),
    calls['host.info']({}),
    calls['settings.get']({}),
    calls['updates.state']({}),
    calls['connection.get']({}),
    calls['devices.list']({}),
    calls['developer.get']({}),
    calls['groups.browse']({ query: '', cursor: null }),
    calls['people.search']({ query: '', verifiedOnly: false, cursor: null }),
  ];
  expect((await Promise.all(answers)).every(({ ok }) => ok)).toBe(true);
  const listed = await calls['conversations.list']({});
  for (const conversation of listed.ok ? listed.value : []) {
    const { id } = conversation;
    // The first call may be the one that discovers a removal.
    if (conversation.kind === 'group') await calls['groups.details']({ conversationId: id });
    const details =
      conversation.kind === 'direct'
        ? calls['people.details']({ address: conversation.peer.address })
        : calls['groups.details']({ conversationId: id });
    const answers = [
      details,
      calls['conversations.get']({ id }),
      calls['messages.list']({ conversationId: id, limit: 200 }),
    ];
    expect((await Promise.all(answers)).every(({ ok }) => ok)).toBe(true);
  }
});

test.each(sceneNames)('scene %s is the same each time', (name) => {
  expect(scenes[name]()).toEqual(scenes[name]());
});

test('a new page does not have the changes of the last one', async () => {
  const { calls } = fakeBridge(scenes.one());
  await calls['messages.send']({ conversationId: '1', text: 'Said in one page' });
  await calls['settings.set']({ theme: 'dark' });
  expect(JSON.stringify([...scenes.one().messages])).not.toContain('Said in one page');
  expect(scenes.one().settings.theme).toBe('system');
});
