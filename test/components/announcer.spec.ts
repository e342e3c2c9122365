/**
 * What a screen reader is told of messages that arrive: each once, and of many at once only how many.
 */
import type { Page } from '@playwright/test';
import { ann, ben } from '../../dev/fake/people.ts';
import { expect, test } from './support.ts';

const log = (page: Page) => page.getByRole('log', { name: 'New messages' });

/** Messages of one person, told in one turn. */
async function arrive(page: Page, conversationId: string, from: typeof ann, texts: string[]): Promise<void> {
  await page.evaluate(
    ([id, person, all]) => {
      for (const [place, text] of all.entries())
        window.tell('message.arrived', {
          conversationId: id,
          messageId: `${1000 + place}`,
          from: person,
          bot: null,
          group: null,
          gist: { kind: 'text', text, fields: {} },
          request: false,
          mentionsMe: false,
          muted: false,
        });
    },
    [conversationId, from, texts] as const,
  );
}

/** Counts what is put into the log: that is what is read out. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  const heard: string[] = [];
  await page.exposeFunction('hear', (text: string) => heard.push(text));
  await log(page).evaluate((element) => {
    const { hear } = window as unknown as { hear: (text: string) => void };
    const observer = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) hear(node.textContent ?? '');
    });
    observer.observe(element, { childList: true, subtree: true, characterData: true });
  });
  return async () => heard;
}

test.beforeEach(async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  await expect(page.getByRole('textbox', { name: /^Message to/ })).toBeVisible();
});

test('each message is read out once, also one that says the same again; elsewhere only who wrote', async ({
  page,
}) => {
  const heard = await listen(page);
  await arrive(page, '1', ann, ['**ok**']);
  await expect.poll(heard).toEqual(['Ann Archer: ok']);
  await arrive(page, '1', ann, ['ok']);
  await arrive(page, '99', ben, ['not said']);
  await expect.poll(heard).toEqual(['Ann Archer: ok', 'Ann Archer: ok', 'New message from Ben Okafor']);
});

test('of many messages at once only the number is read out, and of what ended in the meantime nothing', async ({
  page,
}) => {
  const heard = await listen(page);
  const many = Array.from({ length: 500 }, (_, place) => `number ${place}`);
  await arrive(page, '1', ann, many);
  await expect.poll(heard).toEqual(['500 new messages']);
  await arrive(page, '1', ann, ['gone before it is read']);
  await page.evaluate(() => window.tell('messages.expired', { conversationId: '1', ids: ['1000'] }));
  await expect(log(page)).toHaveText('');
  await arrive(page, '1', ann, ['after it']);
  await expect.poll(heard).toEqual(['500 new messages', 'Ann Archer: after it']);
});
