import { expect } from 'vitest';
import { waxwingProcess } from '../../support/waxwing-command.ts';

/** The error message of a failed command. */
export async function refusal(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await waxwingProcess(args);
  expect([code, stdout]).toEqual([1, '']);
  return stderr.trim();
}
