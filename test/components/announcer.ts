/**
 * Parts of the pages for tests in announcer.spec.ts and announcer.slow.spec.ts.
 */
import type { Page } from '@playwright/test';
import type { ann } from '../../dev/fake/people.ts';

export const log = (page: Page) => page.getByRole('log', { name: 'New messages' });

/** The results that are announced without words on the screen. */
export const announcements = (page: Page) => page.locator('[data-announcements]');

/** Messages of one person, announced together. */
export async function arrive(
  page: Page,
  conversationId: string,
  from: typeof ann,
  texts: string[],
): Promise<void> {
  await page.evaluate(
    ([id, person, all]) => {
      for (const [place, text] of all.entries())
        window.emit('message.arrived', {
          conversationId: id,
          messageId: `${1000 + place}`,
          from: person,
          bot: null,
          group: null,
          hasNamesake: false,
          summary: { kind: 'text', text, fields: {} },
          request: false,
          mentionsMe: false,
          muted: false,
        });
    },
    [conversationId, from, texts] as const,
  );
}

/** Counts additions to the log, which screen readers read out. */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  const announced: string[] = [];
  await page.exposeFunction('report', (text: string) => announced.push(text));
  await log(page).evaluate((element) => {
    const { report } = window as unknown as { report: (text: string) => void };
    const observer = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) report(node.textContent ?? '');
    });
    observer.observe(element, { childList: true, subtree: true, characterData: true });
  });
  return async () => announced;
}
