/** Answers that describe the state before a change and arrive after it, and states that are replaced before they are drawn. */
import type { Page } from '@playwright/test';
import { row } from './late-answers.ts';
import { answerDelayed, delayAnswer, expect, test, untilDelayed } from './support.ts';

/** A message from another device of the person, which the page receives as an event. */
const sendElsewhere = (page: Page, conversationId: string, text: string) =>
  page.evaluate(
    async ([id, words]) => {
      await window.waxwing.calls['messages.send']({ conversationId: id, text: words });
    },
    [conversationId, text] as const,
  );

test('a message stored while a chat opens is shown', async ({ page, openScene }) => {
  await openScene('lists', { open: '' });
  await expect(row(page, /Ann Archer/)).toBeVisible();
  await delayAnswer(page, 'messages.list');
  await row(page, /Ann Archer/).click();
  await untilDelayed(page);
  await sendElsewhere(page, '1', 'Stored while the chat opens');
  await answerDelayed(page);
  await expect(page.getByRole('article').getByText('Stored while the chat opens')).toBeVisible();
});
