import type { Locator } from '@playwright/test';

/** The line under a field. It is the description of the field, unless it was announced and the field still has the focus. */
export const noteOf = (field: Locator) =>
  field.locator('xpath=ancestor::div[.//p[@data-note]][1]//p[@data-note]');
