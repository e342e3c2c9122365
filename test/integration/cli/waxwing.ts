import { expect } from 'vitest';
import { waxwingProcess } from '../../support/waxwing-command.ts';

/** The error message of a failed command. */
export async function refusal(...args: string[]): Promise<string> {
  const { code, said, complained } = await waxwingProcess(args);
  expect([code, said]).toEqual([1, '']);
  return complained.trim();
}
