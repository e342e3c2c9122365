import { expectWhole } from '../e2e/support/accessible.ts';
import { item, nav, row, rows } from './chat-list.ts';
import { expect, test } from './support.ts';

test('filters show unread chats or groups', async ({ page, openScene }) => {
  await openScene('lists', { open: '' });
  await nav(page).getByRole('radio', { name: 'Unread' }).check();
  await expect(rows(page)).toHaveCount(5);
  await nav(page).getByRole('radio', { name: 'Groups' }).check();
  await expect(rows(page)).toHaveCount(2);
  await openScene('one', { open: '' });
  await nav(page).getByRole('radio', { name: 'Unread' }).check();
  await expect(nav(page)).toContainText('No unread chats');
  await nav(page).getByRole('button', { name: 'Show all chats' }).click();
  await expect(rows(page)).toHaveCount(1);
});

test('a row shows all its parts without overlapping marks', async ({ page, openScene }) => {
  await openScene('lists', { open: '' });
  await expect(
    row(page, /The Tuesday quiz.*Draft:.*Not sent.*mentioned.*120 unread messages.*Pinned.*Muted/),
  ).toBeVisible();
  await expect(row(page, /دانا.*Marked unread/)).toBeVisible();
  await expect(row(page, /Quinn Quiet.*Marked unread.*Muted/)).toBeVisible();
  for (const [width, lang] of [[360], [1440], [360, 'en-XB']] as const) {
    await page.setViewportSize({ width, height: 900 });
    await openScene('lists', { open: '', ...(lang && { lang }) });
    await expect(page.locator('main [data-row]').first()).toBeVisible();
    const overlaps = await page.locator('main nav [data-row]').evaluateAll((all) =>
      all.flatMap((each) => {
        const lines = [...each.querySelectorAll('[data-marks]')];
        return lines.flatMap((line) => {
          const boxes = [line.previousElementSibling, ...line.children]
            .filter((part) => part !== null && !part.classList.contains('sr-only'))
            .map((part) => (part as Element).getBoundingClientRect());
          return boxes.flatMap((box, index) =>
            boxes
              .slice(index + 1)
              .filter((other) => box.left < other.right - 0.5 && other.left < box.right - 0.5)
              .map(() => each.textContent),
          );
        });
      }),
    );
    expect(overlaps).toEqual([]);
    await expectWhole(page);
  }
});

test('a nickname is set and removed, and the panel mutes for a while', async ({ page, openScene }) => {
  await openScene('lists', { open: '1' });
  const header = page.locator('main section header h2');
  await expect(header).toHaveText('Ann Archer');
  await page.getByRole('button', { name: 'Details' }).click();
  const panel = page.getByRole('region', { name: 'Details' });
  const field = panel.getByRole('textbox', { name: 'Nickname' });
  await expect(field).toHaveAccessibleDescription('Only you see this.');
  await field.fill('Annie');
  await field.press('Enter');
  await expect(header.first()).toHaveText('Annie');
  await expect(row(page, /Annie/)).toBeVisible();
  await expectWhole(page);
  await field.fill('');
  await field.press('Enter');
  await expect(header.first()).toHaveText('Ann Archer');
  await panel.getByRole('button', { name: 'Mute' }).click();
  await item(page, 'For 1 hour').click();
  await expect(panel.getByRole('button', { name: 'Unmute' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('button', { name: 'Mute', exact: true })).toBeVisible();
  await expect(page.getByRole('menu')).toHaveCount(0);
});

test('Note to self opens from New chat and from the palette', async ({ page, openScene }) => {
  const title = page.locator('main section header h2');
  await openScene('lists', { open: '' });
  await page.getByRole('button', { name: 'New chat' }).first().click();
  await page.getByRole('textbox', { name: 'To' }).fill('note');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Note to self/ })
    .click();
  await expect(title).toHaveText('Note to self');
  await openScene('lists', { open: '' });
  await expect(rows(page)).not.toHaveCount(0);
  await page.keyboard.press('Control+K');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('note to');
  await page.getByRole('option', { name: /Note to self/ }).click();
  await expect(title).toHaveText('Note to self');
});
