/**
 * Commands of the command line that end by themselves.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('../../src/cli/waxwing.ts', import.meta.url));

export interface Outcome {
  code: number | null;
  said: string;
  complained: string;
}

export interface Circumstances {
  /** Beside what the test itself has, of which nothing about Waxwing comes through. */
  env?: Record<string, string>;
  /** Standard input; empty unless given. */
  input?: string;
}

/** Runs a command to its end. */
export async function waxwing(args: string[], { env = {}, input }: Circumstances = {}): Promise<Outcome> {
  const child = startWaxwing(args, env);
  child.stdin.end(input ?? '');
  const [said, complained] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, said, complained };
}

/** Starts a command that goes on. */
export function startWaxwing(
  args: string[],
  env: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('WAXWING_'));
  return spawn(process.execPath, [ENTRY, ...args], {
    stdio: 'pipe',
    env: { ...Object.fromEntries(inherited), ...env },
  });
}
