/**
 * Servers under measurement, each in its own process, and their memory.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface Server {
  child: ChildProcess;
  port: number;
}

/** The options of Node with which the shipped unit starts a relay, without those of its permissions. */
export const RELAY_OPTIONS: readonly string[] =
  readFileSync(new URL('../../deploy/systemd/waxwing-relay@.service', import.meta.url), 'utf8').match(
    /--max-\S+/g,
  ) ?? [];

/** Starts a relay that prints its port when it listens, with {@link RELAY_OPTIONS}. */
export function startRelayProcess(entry: URL, ...args: string[]): Promise<Server> {
  return start([...RELAY_OPTIONS, entry.pathname, ...args]);
}

/** Starts a program that prints its port when it listens. */
export function startServer(entry: URL, ...args: string[]): Promise<Server> {
  return start([entry.pathname, ...args]);
}

async function start(args: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (!child.stdout) throw new Error('no output to read');
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, port: Number(port) };
}

/** Processor time of a process in microseconds, of all its threads that still run; 0 where there is no /proc. */
export function processorTimeOf({ pid }: { pid?: number | undefined }): number {
  const threads = `/proc/${pid}/task`;
  try {
    return readdirSync(threads)
      .map((thread) => Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1_000)
      .reduce((sum, time) => sum + time, 0);
  } catch {
    return 0;
  }
}

/** Resident memory of a process in KiB, or NaN where there is no /proc. */
export function residentMemory({ pid }: { pid?: number | undefined }): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return Number.NaN;
  }
}

export function median(values: number[]): number {
  return percentile(values, 0.5);
}

/** @param share 0.99 for the 99th percentile */
export function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
