/**
 * Electron's declarations: members, events and options, and their platforms. Read from its own
 * declarations, so that these lists cannot grow old.
 */
import { readFileSync } from 'node:fs';

const TEXT = readFileSync(new URL('../../../node_modules/electron/electron.d.ts', import.meta.url), 'utf8');

/** Platforms of a member; null for all. */
type Platforms = ReadonlySet<string> | null;

export interface Declaration {
  /** Members of an object, and of its base class or interface. */
  members: ReadonlyMap<string, Platforms>;
  /** Members of the class itself. */
  statics: ReadonlyMap<string, Platforms>;
  events: ReadonlyMap<string, Platforms>;
}

interface Declared {
  parent: string | undefined;
  members: Map<string, Platforms>;
  statics: Map<string, Platforms>;
  events: Map<string, Platforms>;
}

/** A class or an interface begins at one level of the file, its members stand at the next. */
const HEAD = /^ {2}(?:class|interface) (\w+)(?: extends (\w+))?/;
const MEMBER = /^ {4}(static )?(?:readonly )?(\w+)\??(?:<[^(]*>)?[(:]/;
const EVENT = /^ {4}on\(event: '([^']+)'/;
const PLATFORM = /^ {5}\* @platform (\S+)/;

const declared = new Map<string, Declared>();
let current: Declared | null = null;
let platforms: Platforms = null;
for (const line of TEXT.split('\n')) {
  const [, name, parent] = HEAD.exec(line) ?? [];
  if (name !== undefined) {
    current = { parent, members: new Map(), statics: new Map(), events: new Map() };
    declared.set(name, current);
  }
  if (line === '  }') current = null;
  if (line === '    /**') platforms = null;
  const [, named] = PLATFORM.exec(line) ?? [];
  if (named !== undefined) platforms = new Set(named.split(','));
  const [, event] = EVENT.exec(line) ?? [];
  const [, isStatic, member] = MEMBER.exec(line) ?? [];
  if (event !== undefined) current?.events.set(event, platforms);
  else if (member !== undefined) (isStatic ? current?.statics : current?.members)?.set(member, platforms);
  // A comment applies to the declaration right below it.
  if (event !== undefined || member !== undefined) platforms = null;
}

/**
 * Electron's declaration of a name.
 * @throws Error if there is no class or interface of that name
 */
export function declarationOf(name: string): Declaration {
  const found = declared.get(name);
  if (!found) throw new Error(`Electron declares nothing called ${name}`);
  const { parent, members, statics, events } = found;
  const inherited = parent !== undefined && declared.has(parent) ? declarationOf(parent) : null;
  if (!inherited) return { members, statics, events };
  return {
    members: new Map([...inherited.members, ...members]),
    statics: new Map([...inherited.statics, ...statics]),
    events: new Map([...inherited.events, ...events]),
  };
}

/** Reports whether a member is declared for this platform. */
export function isOn(platforms: Platforms, platform: NodeJS.Platform): boolean {
  return platforms === null || platforms.has(platform);
}

/** Electron ignores a misspelt option, which is how a safeguard gets lost. */
export function refuseUnknown(options: object, name: string): void {
  const { members } = declarationOf(name);
  for (const option of Object.keys(options)) {
    if (!members.has(option)) throw new Error(`${name} has no option called ${option}`);
  }
}
