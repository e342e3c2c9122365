/** The reminder of a missing backup. */
import { expect, test } from 'vitest';
import type { FileParts } from '../../../../src/engine/parts.ts';
import { backupProcedures } from '../../../../src/engine/procedures/backup.ts';
import { LATER, openAnn } from '../../../support/history.ts';

const DAY = 24 * 60 * 60 * 1000;

test('a backup is due a week after the beginning, a month after the last one, and a month after it was postponed', () => {
  let clock = LATER;
  const { context, close } = openAnn(() => clock);
  const backups = { state: {} };
  const procedures = backupProcedures({ context, backups } as unknown as FileParts);
  const isDue = () => (procedures['backup.get']({}) as { isDue: boolean }).isDue;
  expect(isDue()).toBe(false);
  context.identity.markRegistered(clock);
  clock += 7 * DAY - 1;
  expect(isDue()).toBe(false);
  clock += 1;
  expect(isDue()).toBe(true);
  void procedures['backup.remindLater']({});
  expect(isDue()).toBe(false);
  clock += 30 * DAY;
  expect(isDue()).toBe(true);
  context.backupRows.setLast({ at: clock, bytes: 1, missingFiles: 0 });
  expect(isDue()).toBe(false);
  // The clock was a year ahead when it was made.
  clock -= 365 * DAY;
  expect(isDue()).toBe(false);
  clock += 395 * DAY;
  expect(isDue()).toBe(true);
  close();
});
