/** Answers that describe the state before a change and arrive after it, and states that are replaced before they are drawn. */
import type { Page } from '@playwright/test';
import { row } from './late-answers.ts';
import { article, LAST } from './message-actions.ts';
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

test('a forward that is answered after its dialog was closed does not close a newer dialog', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  const chooseForward = async () => {
    await article(page, LAST).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Forward' }).click();
  };
  await chooseForward();
  const dialog = page.getByRole('dialog', { name: 'Forward message' });
  await dialog.getByRole('checkbox').first().check();
  await delayAnswer(page, 'messages.forward');
  await dialog.getByRole('button', { name: 'Forward to 1 chat' }).click();
  await untilDelayed(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await chooseForward();
  await dialog.getByRole('checkbox').first().check();
  await answerDelayed(page);
  // The answer is processed before that of a later call.
  await page.evaluate(() => window.waxwing.calls['app.state']({}));
  await expect(dialog.getByRole('checkbox').first()).toBeChecked();
});
