import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { temporaryFolder } from '../support/engine.ts';
import { expectAccessible } from './support/accessible.ts';
import { DelayedAnswers } from './support/delayed-answers.ts';
import { DesktopPage } from './support/desktop-page.ts';
import {
  fillNewPassphrase,
  firstRun,
  greetEcho,
  lockScreen,
  messageTexts,
  openSettings,
  unlock,
} from './support/pages.ts';
import { expect, test } from './support/watched.ts';
import { WaxwingProcess } from './support/waxwing.ts';

const PASSPHRASE = 'plumage under a warm lamp';

const passphraseField = (page: Page) => page.getByRole('textbox', { name: 'Passphrase', exact: true });

/** The app without a passphrase in its environment: the page is asked. */
function serve(folder: string, nodeOptions?: string[]): WaxwingProcess {
  return new WaxwingProcess(['serve', '--data', folder], nodeOptions, {});
}

async function choosePassphrase(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Choose a passphrase' })).toBeVisible();
  await fillNewPassphrase(page, 'Passphrase', PASSPHRASE);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/**
 * The app of a new person who has set a passphrase, until it is disposed of.
 * @param noted receives the recovery phrase
 */
async function newcomersApp(page: Page, handle: string, noted?: string[]) {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(temporaryFolder());
  const app = opened.use(serve(folder.path));
  await page.goto(await app.url());
  await choosePassphrase(page);
  await firstRun(page, handle, noted);
  const running = opened.move();
  return { newLink: () => app.newLink(), [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Answer of the page's bridge to a call that the interface never makes. */
function codeOf(page: Page, name: string): Promise<string> {
  return page.evaluate(async (procedure) => {
    const { waxwing } = window as unknown as {
      waxwing: { calls: Record<string, (input: unknown) => Promise<{ failure?: { code: string } }>> };
    };
    const answer = await waxwing.calls[procedure]?.({});
    return answer ? (answer.failure?.code ?? 'ok') : 'no such procedure';
  }, name);
}

test('a new account without a key store chooses a passphrase first, and a restart asks for it', async ({
  page,
}) => {
  using folder = temporaryFolder();
  const first = serve(folder.path, []);
  try {
    await page.goto(await first.url());
    await choosePassphrase(page);
    await firstRun(page, 'newcomer');
    await greetEcho(page, 'behind a passphrase');
  } finally {
    await first.stop('SIGKILL');
  }
  await using second = serve(folder.path, []);
  await page.goto(await second.url());
  await expect(lockScreen(page)).toBeVisible();
  expect(await codeOf(page, 'conversations.list')).toBe('locked');
  await unlock(page, PASSPHRASE);
  await page.getByRole('option', { name: /Echo/ }).click();
  await expect.poll(async () => (await messageTexts(page)).join()).toContain('behind a passphrase');
});

test('C16: a locked page shows and answers nothing; wrong passphrases are counted and delayed', async ({
  page,
}) => {
  using folder = temporaryFolder();
  const first = serve(folder.path);
  try {
    await page.goto(await first.url());
    await choosePassphrase(page);
    await firstRun(page, 'somebody');
    await greetEcho(page, 'a word that nobody sees');
    await page.keyboard.press('Control+l');
    await expect(lockScreen(page)).toBeVisible();
    await expect(page.getByText('a word that nobody sees')).toHaveCount(0);
    expect(await page.content()).not.toContain('Echo');
    for (const name of [
      'app.state',
      'conversations.list',
      'connection.get',
      'devices.list',
      'developer.get',
    ]) {
      expect(await codeOf(page, name), name).toBe('locked');
    }

    await unlock(page, 'not this one');
    await expect(page.getByText('Wrong passphrase. Try again.')).toBeVisible();
    for (let failed = 2; failed <= 5; failed++) {
      await unlock(page, `guess number ${failed}`);
      await expect(passphraseField(page)).toHaveValue('');
      await expect(page.getByText('Wrong passphrase. Try again.')).toBeVisible();
    }
    // The clock stops during the short wait, until all checks are done.
    await expect(page.locator('button[type=submit]:not([aria-busy=true])')).toBeVisible();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1_000);
    await unlock(page, 'one too many');
    await expect(page.getByText(/Wrong passphrase\. Try again in \d s\./)).toBeVisible();
    await page.getByRole('textbox', { name: 'Passphrase' }).fill(PASSPHRASE);
    await expect(page.getByRole('button', { name: 'Unlock Waxwing' })).toBeDisabled();
    await page.clock.resume();
    await expect(page.getByText('Wrong passphrase. Try again.')).toBeVisible();
    // The wait is over, and switching to the other unlock method does not restart it.
    await page.getByRole('button', { name: 'Forgot your passphrase?' }).click();
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(lockScreen(page)).toBeVisible();
    expect(await page.getByText(/Try again in/).count()).toBe(0);
  } finally {
    await first.stop('SIGKILL');
  }
  await using second = serve(folder.path);
  await page.goto(await second.url());
  await expect(page.getByText(/Wrong passphrase\./)).toBeVisible();
  await expect(page.getByText('Wrong passphrase. Try again.')).toBeVisible();
  await unlock(page, PASSPHRASE);
  await page.getByRole('option', { name: /Echo/ }).click();
  await expect.poll(async () => (await messageTexts(page)).join()).toContain('a word that nobody sees');
});

test('the recovery phrase opens the messages and sets a new passphrase', async ({ page }) => {
  const phrase: string[] = [];
  await using _app = await newcomersApp(page, 'forgetful', phrase);
  await page.keyboard.press('Control+l');
  await page.getByRole('button', { name: 'Forgot your passphrase?' }).click();
  await page.getByRole('textbox', { name: 'Recovery phrase or private key' }).fill('not words of a phrase');
  await fillNewPassphrase(page, 'New passphrase', 'another warm lamp');
  await page.getByRole('button', { name: 'Open messages' }).click();
  await expect(page.getByText(/isn’t a word of a recovery phrase/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Recovery phrase or private key' }).fill(phrase.join(' '));
  await page.getByRole('button', { name: 'Open messages' }).click();
  await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
  await page.keyboard.press('Control+l');
  await unlock(page, PASSPHRASE);
  await expect(page.getByText('Wrong passphrase. Try again.')).toBeVisible();
  await unlock(page, 'another warm lamp');
  await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
});

test('Ctrl+L locks while the page is loading and a request is pending', async ({ page, browser }) => {
  await using app = await newcomersApp(page, 'hasty');
  for (const name of ['host.info', 'app.state', 'conversations.list'] as const) {
    await test.step(name, async () => {
      const other = await browser.newPage();
      (await DelayedAnswers.between(other)).delay(name);
      await other.goto(await app.newLink());
      await expect(
        name === 'app.state'
          ? other.getByRole('heading', { name: 'Waxwing is opening' })
          : other.getByRole('main'),
      ).toBeVisible();
      if (name !== 'app.state')
        await expect(other.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
      await other.keyboard.press('Control+l');
      await expect(lockScreen(other)).toBeVisible();
      await expect(lockScreen(page)).toBeVisible();
      await other.close();
      await unlock(page, PASSPHRASE);
      await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
    });
  }
});

test('an answer that arrives after locking opens nothing', async ({ page, browser }) => {
  await using app = await newcomersApp(page, 'hasty');
  const other = await browser.newPage();
  const delayed = await DelayedAnswers.between(other);
  delayed.delay('lock.state');
  delayed.delay('app.state');
  await other.goto(await app.newLink());
  await expect(other.getByRole('heading', { name: 'Waxwing is opening' })).toBeVisible();
  await expect.poll(() => delayed.isDelayed('lock.state')).toBe(true);
  await page.keyboard.press('Control+l');
  await expect(lockScreen(other)).toBeVisible();
  delayed.answer('lock.state');
  expect(await codeOf(other, 'conversations.list')).toBe('locked');
  await expect(lockScreen(other)).toBeVisible();
  await other.close();
});

test('two pages lock together; the unlocked one continues, the other has ended', async ({
  page,
  browser,
}) => {
  await using app = await newcomersApp(page, 'somebody');
  const other = await browser.newPage();
  await other.goto(await app.newLink());
  await expect(other.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
  await page.keyboard.press('Control+l');
  await expect(lockScreen(page)).toBeVisible();
  await expect(lockScreen(other)).toBeVisible();
  await unlock(other, PASSPHRASE);
  await expect(other.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
  await expect(page.getByRole('alertdialog', { name: 'This page is disconnected' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('alertdialog', { name: 'This page is disconnected' })).toBeVisible();
  await page.goto(await app.newLink());
  await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
  await other.close();
});

test('the passphrase is changed in Settings, with automatic locking as a choice', async ({ page }) => {
  await using _app = await newcomersApp(page, 'somebody');
  await page.keyboard.press('Control+,');
  const settings = await openSettings(page, 'Privacy & lock');
  await expect(settings.getByRole('switch', { name: 'App lock' })).toBeDisabled();
  await settings.getByText('5 minutes', { exact: true }).click();
  await expect(settings.getByRole('radio', { name: '5 minutes', exact: true })).toBeChecked();
  await settings.getByRole('button', { name: 'Change passphrase' }).click();
  await settings.getByRole('textbox', { name: 'Your passphrase' }).fill('not this one');
  await fillNewPassphrase(settings, 'New passphrase', 'a lamp that is new');
  await settings.getByRole('button', { name: 'Change passphrase' }).first().click();
  await expect(settings.getByText('This isn’t the passphrase.')).toBeVisible();
  await settings.getByRole('textbox', { name: 'Your passphrase' }).fill(PASSPHRASE);
  await settings.getByRole('button', { name: 'Change passphrase' }).first().click();
  await expect(settings.getByRole('textbox', { name: 'New passphrase' })).toHaveCount(0);
  await settings.getByRole('button', { name: 'Lock Waxwing' }).click();
  await unlock(page, PASSPHRASE);
  await expect(page.getByText('Wrong passphrase. Try again.')).toBeVisible();
  await unlock(page, 'a lamp that is new');
  await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
});

test('every window warns of an unprotected key until a passphrase is set', async ({ page }) => {
  using folder = temporaryFolder();
  await using app = new WaxwingProcess(['serve', '--data', folder.path, '--unprotected-key'], [], {});
  await page.goto(await app.url());
  await firstRun(page, 'somebody');
  const banner = page.getByText('Anyone using your computer login can open your messages.');
  await expect(banner).toBeVisible();
  await page.keyboard.press('Control+l');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('switch', { name: 'App lock' }).click();
  await fillNewPassphrase(settings, 'Passphrase', PASSPHRASE);
  await settings.getByRole('button', { name: 'Turn on' }).click();
  await expect(banner).toHaveCount(0);
  await page.keyboard.press('Control+l');
  await expect(lockScreen(page)).toBeVisible();
  await unlock(page, PASSPHRASE);
  await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
});

test('deleting everything on this computer needs the passphrase, and the app starts again', async ({
  page,
}) => {
  await using _app = await newcomersApp(page, 'leaver');
  await greetEcho(page, 'soon gone');
  const settings = await openSettings(page, 'Storage');
  await settings.getByRole('button', { name: 'Delete all data' }).click();
  const button = settings.getByRole('button', { name: 'Delete all data' });
  const passphrase = settings.getByRole('textbox', { name: 'Your passphrase' });
  await expect(button).toBeDisabled();
  await settings.getByRole('checkbox', { name: /I saved my recovery phrase/ }).check();
  await passphrase.fill('a guess');
  await button.click();
  await expect(passphrase).toHaveAccessibleDescription('This isn’t the passphrase.');
  await passphrase.fill(PASSPHRASE);
  await button.click();
  await firstRun(page, 'comer');
  await expect(page.getByText('soon gone')).toHaveCount(0);
});

test('a missing key store is reported, and no new key is created', async ({ page }) => {
  using folder = temporaryFolder();
  const keys = join(folder.path, 'keys.json');
  const wrap = {
    kind: 'system',
    store: 'electron/kwallet6',
    reference: 'AAAA',
    nonce: 'AAAA',
    ciphertext: 'AAAA',
  };
  const file = JSON.stringify({ version: 1, wraps: [wrap] });
  writeFileSync(keys, file);
  await using app = serve(folder.path);
  await page.goto(await app.url());
  await expect(page.getByRole('heading', { name: 'Your messages can’t be opened yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/Nothing is lost\./)).toBeVisible();
  expect(await codeOf(page, 'app.state')).toBe('locked');
  expect(readFileSync(keys, 'utf8')).toBe(file);
});

test('the desktop app turns App lock on and off, and shows the recovery phrase behind it', async ({
  page,
}) => {
  await using desktop = new DesktopPage();
  await page.goto(await desktop.start());
  const phrase: string[] = [];
  await firstRun(page, 'somebody', phrase);
  await page.keyboard.press('Control+l');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings.getByText('A copied disk can’t be read.')).toBeVisible();
  await settings.getByRole('switch', { name: 'App lock' }).click();
  await fillNewPassphrase(settings, 'Passphrase', PASSPHRASE);
  await settings.getByRole('button', { name: 'Turn on' }).click();
  await expect(settings.getByText('Anyone with this computer must guess your passphrase')).toBeVisible();

  await openSettings(page, 'Account');
  await settings.getByRole('button', { name: 'Show recovery phrase' }).click();
  await settings.getByRole('textbox', { name: 'Your passphrase' }).fill('not this one');
  await settings.getByRole('button', { name: 'Show recovery phrase' }).click();
  await expect(settings.getByText('This isn’t the passphrase.')).toBeVisible();
  await settings.getByRole('textbox', { name: 'Your passphrase' }).fill(PASSPHRASE);
  await settings.getByRole('button', { name: 'Show recovery phrase' }).click();
  await expect(settings.getByText(phrase.join(' '))).toBeVisible();
  await settings.getByRole('button', { name: 'Copy recovery phrase' }).click();
  await expect(
    settings.getByRole('button', { name: /removed from the clipboard in a minute/ }),
  ).toBeVisible();
  expect(desktop.electron.clipboard.text).toBe(phrase.join(' '));
  await expectAccessible(page);
  await settings.getByRole('button', { name: 'Hide' }).click();
  await expect(settings.getByText(phrase.join(' '))).toHaveCount(0);

  await openSettings(page, 'Privacy & lock');
  await settings.getByRole('switch', { name: 'App lock' }).click();
  await settings.getByRole('textbox', { name: 'Your passphrase' }).fill(PASSPHRASE);
  await settings.getByRole('button', { name: 'Turn off' }).click();
  await expect(settings.getByRole('switch', { name: 'App lock' })).not.toBeChecked();
});
