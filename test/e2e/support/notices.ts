/**
 * Notifications of a page. Chromium without a desktop shows none, but creates the objects: these functions observe the
 * page's constructor, and leave the rest to the browser.
 */
import type { BrowserContext, Page } from '@playwright/test';

export interface SeenNotice {
  title: string;
  body: string;
  tag: string;
  isSilent: boolean;
  icon: string;
}

interface Watched {
  all: Notification[];
  open: Set<Notification>;
}

type WatchedWindow = Window & { watched: Watched };

/** From now on the pages of a context record the notices that they show. */
export async function watchNotices(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const watched: Watched = { all: [], open: new Set() };
    const Real = window.Notification;
    window.Notification = class extends Real {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        watched.all.push(this);
        watched.open.add(this);
      }

      override close() {
        watched.open.delete(this);
        super.close();
      }
    };
    (window as unknown as WatchedWindow).watched = watched;
  });
}

/** The displayed notifications, oldest first. */
export function shownNotices(page: Page): Promise<SeenNotice[]> {
  return page.evaluate(() =>
    [...(window as unknown as WatchedWindow).watched.open].map(({ title, body, tag, silent, icon }) => ({
      title,
      body,
      tag,
      isSilent: silent === true,
      icon,
    })),
  );
}

/** Number of notices that a page has shown so far. */
export function countNotices(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as WatchedWindow).watched.all.length);
}

/** The person clicks the newest. */
export async function pressNotice(page: Page): Promise<void> {
  await page.evaluate(() =>
    [...(window as unknown as WatchedWindow).watched.open].at(-1)?.dispatchEvent(new Event('click')),
  );
}
