/** Shared by the quick and the slow tests of panes. */
import type { Locator } from '@playwright/test';

export const widthOf = async (what: Locator) => (await what.boundingBox())?.width ?? 0;
