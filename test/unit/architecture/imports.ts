/**
 * Reads the imports of each file of `src`. The formatter begins every import at the beginning of a line.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

export interface Import {
  /** The file that imports, from `src`: `engine/start.ts`. */
  from: string;
  /** The file that is imported, from `src`; of a package its name; `node` for everything of Node. */
  to: string;
  /** Removed at compile time. */
  isType: boolean;
}

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[^'"`;]*?from\s+)?'([^']+)';$/gm;
const DYNAMIC = /\bimport\('([^']+)'\)/g;
const SOURCE = /\.tsx?$/;

/** Every import of every file in a folder. */
export function importsIn(folder: string): Import[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => SOURCE.test(file))
    .flatMap((from) => {
      const text = readFileSync(join(folder, from), 'utf8');
      const asWritten = [
        ...[...text.matchAll(STATEMENT)].map(([, type, to]) => ({
          to: to ?? '',
          isType: type !== undefined,
        })),
        ...[...text.matchAll(DYNAMIC)].map(([, to]) => ({ to: to ?? '', isType: false })),
      ];
      return asWritten.map(({ to, isType }) => ({ from, to: resolve(from, to), isType }));
    });
}

function resolve(from: string, to: string): string {
  if (to.startsWith('node:')) return 'node';
  if (to.startsWith('.')) return posix.join(dirname(from), to);
  return to
    .split('/')
    .slice(0, to.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Sets of names that lead back to themselves, each as a path that ends where it began. */
export function circles(arrows: Iterable<readonly [from: string, to: string]>): string[][] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of arrows) next.set(from, (next.get(from) ?? new Set()).add(to));
  const found: string[][] = [];
  const done = new Set<string>();
  const walk = (name: string, path: string[]): void => {
    const at = path.indexOf(name);
    if (at >= 0) {
      found.push([...path.slice(at), name]);
      return;
    }
    if (done.has(name)) return;
    for (const to of next.get(name) ?? []) walk(to, [...path, name]);
    done.add(name);
  };
  for (const name of next.keys()) walk(name, []);
  return found;
}
