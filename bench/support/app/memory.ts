/** Memory of pages, of the processes that draw them, and of programs. */
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import { inChromium } from '../../../test/support/in-chromium.ts';
import { residentMemory } from '../process.ts';

export interface PageMemory {
  /** Used bytes of the JavaScript heap, after a collection. */
  heap: number;
  /** Resident memory of the process that draws the page, in KiB. */
  process: number;
}

/** A metric of Chromium's since the beginning of the page, such as `TaskDuration` in seconds of processor time. */
export async function metricOf(session: CDPSession, name: string): Promise<number> {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((each) => each.name === name)?.value ?? Number.NaN;
}

/** @param page the only page of its browser, or by far the largest */
export async function memoryOf(page: Page): Promise<PageMemory> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const heap = await metricOf(session, 'JSHeapUsedSize');
  await session.detach();
  const browser = page.context().browser();
  if (!browser) throw new Error('the page has no browser');
  const whole = await browser.newBrowserCDPSession();
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
  await whole.detach();
  const sizes = processInfo.flatMap(({ type, id }) =>
    type === 'renderer' ? [residentMemory({ pid: id })] : [],
  );
  return { heap, process: Math.max(...sizes) };
}

/** Memory of a page in a browser of its own. */
export async function memoryAlone(executablePath: string, url: string): Promise<PageMemory> {
  const browser: Browser = await chromium.launch({ ...inChromium.launchOptions, executablePath });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    return await memoryOf(page);
  } finally {
    await browser.close();
  }
}
