/**
 * A relay in a child process, on the data and port of a TestRelay that has stopped.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A relay process on a TestRelay's data and port. */
export async function startProcess(folder: string, port: string): Promise<ChildProcess> {
  const entry = new URL('./relay-process.ts', import.meta.url);
  const child = spawn(process.execPath, [entry.pathname, folder, port], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout) await once(createInterface(child.stdout), 'line');
  return child;
}
