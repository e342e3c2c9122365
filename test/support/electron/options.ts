/**
 * The options that Electron knows, read from its own declarations, so that this list cannot grow old.
 */
import { readFileSync } from 'node:fs';

const declarations = readFileSync(
  new URL('../../../node_modules/electron/electron.d.ts', import.meta.url),
  'utf8',
);

/** An interface as the declarations are laid out: its members one level deeper, each on a line of its own. */
const INTERFACE = /^ {2}interface (\w+)(?: extends (\w+))? \{\n(.*?)^ {2}\}/gms;
const MEMBER = /^ {4}(?:readonly )?(\w+)\??: /gm;

interface Declared {
  parent: string | undefined;
  members: string[];
}

const interfaces = new Map<string, Declared>();
for (const [, name = '', parent, body = ''] of declarations.matchAll(INTERFACE)) {
  const members = Array.from(body.matchAll(MEMBER), ([, member = '']) => member);
  interfaces.set(name, { parent, members });
}

/** The names of an interface's members, and of those that it extends. */
export function optionsOf(name: string): Set<string> {
  const declared = interfaces.get(name);
  if (!declared) throw new Error(`Electron declares no interface called ${name}`);
  const inherited = declared.parent === undefined ? [] : optionsOf(declared.parent);
  return new Set([...declared.members, ...inherited]);
}

/** Electron ignores a misspelt option, which is how a safeguard gets lost. */
export function refuseUnknown(options: object, name: string): void {
  const known = optionsOf(name);
  for (const option of Object.keys(options)) {
    if (!known.has(option)) throw new Error(`${name} has no option called ${option}`);
  }
}
