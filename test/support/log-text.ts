/** All text that a host has written about itself: its log, and the report for support. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Calls } from '../../src/host/calls.ts';

/** The report and, below it, every file of the log. */
export async function logText(calls: Pick<Calls, 'call'>): Promise<string> {
  const report = await answerOf<{ text: string }>(calls, 'diagnostics.text');
  const { path } = await answerOf<{ path: string }>(calls, 'diagnostics.openLogs');
  const files = readdirSync(path).map((name) => readFileSync(join(path, name), 'utf8'));
  return [report.text, ...files].join('\n');
}

async function answerOf<T>(calls: Pick<Calls, 'call'>, name: string): Promise<T> {
  const answer = await calls.call(name, {});
  if (!answer.ok) throw new Error(answer.failure.code);
  return answer.value as T;
}
