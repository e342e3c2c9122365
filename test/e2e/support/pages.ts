/**
 * Actions of a person in the interface, by accessible names.
 */
import { expect, type Locator, type Page } from '@playwright/test';

/**
 * First run with a relay that is already chosen, up to the main window.
 * @param noted receives the words of the recovery phrase, as a person would write them down
 */
export async function firstRun(page: Page, handle: string, noted: string[] = []): Promise<void> {
  await createAccount(page, noted);
  await chooseHandle(page, handle);
}

/** First run up to the profile step. */
export async function createAccount(page: Page, noted: string[] = []): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: 'Create an account' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  // There are as many fields before the words arrive.
  const places = page.getByRole('list', { name: 'Recovery phrase' }).getByRole('listitem');
  const words = places.filter({ hasText: /[a-z]/ });
  await expect(words).toHaveCount(12);
  const phrase = (await words.allInnerTexts()).map((text) => text.replace(/[^a-z]/g, ''));
  noted.push(...phrase);
  await page.getByRole('checkbox', { name: 'I wrote them down' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('textbox', { name: /^Word/ })).toHaveCount(3);
  for (const [index, word] of phrase.entries()) {
    const field = page.getByRole('textbox', { name: `Word ${index + 1}`, exact: true });
    if (await field.isVisible()) await field.fill(word);
  }
  await page.getByRole('button', { name: 'Confirm phrase' }).click();
  await expect(page.getByRole('textbox', { name: 'Handle' })).toBeVisible();
}

/** The profile step, up to the main window. */
export async function chooseHandle(page: Page, handle: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Handle' }).fill(handle);
  await expect(page.getByText(`@${handle} is available.`)).toBeVisible();
  await page.getByRole('button', { name: 'Start chatting' }).click();
  await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
}

/** Shows a section of Settings, in a window with room for both panes; opens them where they are not open. */
export async function openSettings(page: Page, section: string): Promise<Locator> {
  const settings = page.getByRole('dialog', { name: 'Settings' });
  // The exact name: in open Settings, the last button with this word in its name closes them.
  const opener = page.getByRole('button', { name: 'Settings', exact: true }).last();
  if (!(await settings.isVisible())) await opener.click();
  await settings.getByRole('navigation').getByRole('button', { name: section, exact: true }).click();
  await expect(settings.getByRole('heading', { name: section, level: 3 })).toBeVisible();
  return settings;
}

/** Sends a message to @echo, and waits for its answer. */
export async function greetEcho(page: Page, text: string): Promise<void> {
  await page
    .getByRole('button', { name: /Say hello to @echo/ })
    .first()
    .click();
  await send(page, text);
  await expect(page.getByRole('article', { name: /Message from Echo/ })).toContainText(text);
}

export const lockScreen = (page: Page) => page.getByRole('heading', { name: 'Waxwing is locked' });

/** Enters a passphrase on the lock screen. */
export async function unlock(page: Page, passphrase: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Passphrase', exact: true }).fill(passphrase);
  // The previous attempt may still be running, although its result is shown already.
  await expect(page.locator('button[type=submit]:not([aria-busy=true])')).toBeVisible();
  await page.keyboard.press('Enter');
}

/** Opens a chat by the field of the dialog: a handle with `@`, an address, or a name. */
export async function startChat(page: Page, to: string): Promise<void> {
  await page.getByRole('button', { name: 'New chat' }).first().click();
  await page.getByRole('textbox', { name: 'To', exact: true }).fill(to);
  await page.getByRole('button', { name: 'Start chat', exact: true }).click();
}

/** Accepts the message request of someone. */
export async function acceptRequest(page: Page, from: RegExp): Promise<void> {
  await page.getByRole('button', { name: /^Message requests/ }).click();
  await page.getByRole('option', { name: from }).click();
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
}

/** Writes a message in the open conversation and sends it with Enter. */
export async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Message to/ }).fill(text);
  await page.keyboard.press('Enter');
}

/** The texts of the open conversation's messages, as they are shown. */
export async function messageTexts(page: Page): Promise<string[]> {
  const bubbles = page.getByRole('article').locator('[data-words]');
  return bubbles.evaluateAll((elements) =>
    elements.map((element) => {
      const copy = element.cloneNode(true) as Element;
      // Time and state are in the same box, after the text.
      copy.querySelector('[data-meta]')?.remove();
      return copy.textContent?.trim() ?? '';
    }),
  );
}

/** Types a new passphrase, twice. @param label of its first field */
export async function fillNewPassphrase(within: Page | Locator, label: string, passphrase: string) {
  await within.getByRole('textbox', { name: label, exact: true }).fill(passphrase);
  await within.getByRole('textbox', { name: 'Repeat passphrase', exact: true }).fill(passphrase);
}
