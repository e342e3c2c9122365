import { expect, type Page, test } from '@playwright/test';
import { DesktopPage } from './support/desktop-page.ts';
import { HeldAnswers } from './support/held-answers.ts';
import { firstRun, sayHello } from './support/pages.ts';

const echo = (page: Page) => page.getByRole('heading', { name: /Echo/ });
const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });

/** What is typed into the palette, letter by letter, with Enter at the end. */
async function askPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill(text);
  await page.keyboard.press('Enter');
}

/** Lets a page take in what has arrived, and show it. */
const shown = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

test('Enter in the search field opens the first conversation also before the list has loaded', async ({
  page,
}) => {
  await using desktop = new DesktopPage();
  const answers = await HeldAnswers.between(page);
  await page.goto(await desktop.start());
  await firstRun(page, 'ann');
  await sayHello(page, 'Hello');
  const field = page.getByRole('searchbox', { name: 'Search chats' });

  await test.step('it opens as soon as the list is there', async () => {
    answers.hold('conversations.list');
    await page.reload();
    await field.fill('ech');
    await page.keyboard.press('Enter');
    answers.release();
    await expect(echo(page)).toBeVisible();
  });

  await test.step('who types on or leaves the field has not pressed Enter for what comes', async () => {
    for (const goOn of [() => field.fill('echo'), () => page.keyboard.press('Tab')]) {
      answers.hold('conversations.list');
      await page.reload();
      await field.fill('ech');
      await page.keyboard.press('Enter');
      await goOn();
      answers.release();
      await expect(page.getByRole('navigation').getByRole('button', { name: /Echo/ })).toBeVisible();
      await shown(page);
      await expect(echo(page)).toHaveCount(0);
    }
  });
});

test('Enter in the command palette and where people are added waits for what is searched', async ({
  page,
}) => {
  await using desktop = new DesktopPage();
  const answers = await HeldAnswers.between(page);
  await page.goto(await desktop.start());
  await firstRun(page, 'ann');

  await test.step('a group invites the person who is found a moment later', async () => {
    await page.getByRole('button', { name: 'Groups', exact: true }).click();
    await page.getByRole('button', { name: 'New group', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bird watchers');
    await page.getByRole('button', { name: 'Create group' }).click();
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Add people' }).click();
    const field = page.getByRole('textbox', { name: 'Name, handle or address' });
    await field.fill('ech');
    await expect(page.getByRole('list', { name: 'People', exact: true })).toContainText('Echo');
    await field.fill('echidna');
    await page.keyboard.press('Enter');
    await expect(page.getByText('No one found, or already invited')).toBeVisible();
    answers.hold('people.search');
    await field.fill('echo');
    await page.keyboard.press('Enter');
    await expect(page.getByText('No one found, or already invited')).toHaveCount(0);
    answers.release();
    await expect(page.getByRole('list', { name: 'Selected people' }).getByRole('listitem')).toHaveCount(1);
    await page.keyboard.press('Escape');
  });

  await test.step('the palette opens nobody whom only the text before has found', async () => {
    await page.keyboard.press('Control+k');
    const field = palette(page).getByRole('combobox');
    await field.fill('ech');
    await expect(palette(page).getByRole('option', { name: /echo/ })).toBeVisible();
    await field.fill('echidna');
    await page.keyboard.press('Enter');
    await expect(palette(page).getByText('No results. Try a handle or address.')).toBeVisible();
    await expect(echo(page)).toHaveCount(0);
    await page.keyboard.press('Escape');
  });

  await test.step('the palette opens the person who is found a moment later', async () => {
    answers.hold('people.search');
    await askPalette(page, 'echo');
    await expect(palette(page).getByText('No results. Try a handle or address.')).toHaveCount(0);
    answers.release();
    await expect(echo(page)).toBeVisible();
  });

  await test.step('the palette opens the conversation that is loaded a moment later', async () => {
    answers.hold('conversations.list');
    await page.reload();
    await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
    await askPalette(page, '@echo');
    answers.release();
    await expect(echo(page)).toBeVisible();
  });
});
