/**
 * Servers under measurement, each in its own process, and their memory.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface Server {
  child: ChildProcess;
  port: number;
}

/** Starts a program that prints its port when it listens. */
export async function startServer(entry: URL, ...args: string[]): Promise<Server> {
  const child = spawn(process.execPath, [entry.pathname, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (!child.stdout) throw new Error('no output to read');
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, port: Number(port) };
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
