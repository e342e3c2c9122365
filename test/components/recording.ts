/** Shared by the quick and the slow tests of recording. */
import type { Page } from '@playwright/test';
import { composer } from './files.ts';
import { test as base, expect, type Pages } from './support.ts';

declare global {
  interface Window {
    microphones: MediaStreamTrack[];
  }
}

/** @param answer of Chromium's question for the microphone */
export const withMicrophone = (answer: 'allow' | 'deny') =>
  base.extend<object, { launchOptions: { args?: string[] } }>({
    launchOptions: [
      async ({ launchOptions }, use) => {
        const ui = `--use-fake-ui-for-media-stream${answer === 'deny' ? '=deny' : ''}`;
        const args = [...(launchOptions.args ?? []), '--use-fake-device-for-media-stream', ui];
        await use({ ...launchOptions, args });
      },
      { scope: 'worker' },
    ],
  });

export const test = withMicrophone('allow');

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

export const strip = (page: Page) => page.getByRole('group', { name: 'Voice message', exact: true });

export const states = (page: Page) =>
  page.evaluate(() => window.microphones.map(({ readyState }) => readyState));

/** Collects the tracks of each microphone, and opens a chat. */
export async function openChat({
  page,
  openScene,
}: {
  page: Page;
  openScene: Pages['openScene'];
}): Promise<void> {
  await page.addInitScript(() => {
    window.microphones = [];
    const { mediaDevices } = navigator;
    const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (wanted) => {
      const stream = await getUserMedia(wanted);
      window.microphones.push(...stream.getTracks());
      return stream;
    };
  });
  await openScene('one', { open: '1' });
  await expect(composer(page)).toBeFocused();
}

/** Records until the shown time is at least a second. */
export async function record(page: Page): Promise<void> {
  await button(page, 'Record voice message').click();
  await expect(strip(page).getByRole('timer')).not.toHaveText('0:00');
}
