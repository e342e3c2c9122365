/**
 * Loggable facts of an error: its code or class, and the place where it was thrown. Never its message, which
 * may contain anything, nor a folder of the computer, which may contain its user's name.
 */
import { Failure } from './failure.ts';

export interface ErrorFacts {
  /** The code of a failure or of the system, as in ENOENT; otherwise the error's class. */
  code: string;
  stack?: string[];
}

/** Code format of Node, SQLite and the system. */
const SYSTEM_CODE = /^[A-Z][A-Z0-9_]{1,63}$/;
const CLASS = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

export function describe(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) return { code: typeof error };
  return { code: codeOf(error), stack: framesOf(error) };
}

/** The same for an error reported by another process, such as the page. */
export function describeReported(error: { name: string; message: string; stack: string }): ErrorFacts {
  return { code: CLASS.test(error.name) ? error.name : 'Error', stack: framesOf(error) };
}

function codeOf(error: Error): string {
  if (error instanceof Failure) return error.code;
  if ('code' in error && typeof error.code === 'string' && SYSTEM_CODE.test(error.code)) return error.code;
  const { name } = error.constructor;
  return CLASS.test(name) ? name : 'Error';
}

/** Limit of logged frames. */
const MAX_FRAMES = 20;
/** A frame in V8's format: `at name (place)`, or `at place`. */
const FRAME =
  /^at (?:((?:async |new )?[\w$.#<>]{1,100}(?: \[as [\w$.]{1,100}\])?) \((.{1,1000})\)|(async )?(\S{1,1000}:\d+:\d+))$/;

/** The frames of a stack. The message before them may have many lines, and may look like frames itself. */
function framesOf({ stack = '', message }: { stack?: string; message: string }): string[] {
  const at = message === '' ? -1 : stack.indexOf(message);
  const lines = stack
    .slice(at === -1 ? 0 : at + message.length)
    .split('\n')
    .map((line) => line.trim());
  const end = lines.findLastIndex((line) => !FRAME.test(line));
  return lines.slice(end + 1, end + 1 + MAX_FRAMES).map(shortened);
}

function shortened(frame: string): string {
  const [, name, place = '', prefix = '', bare = ''] = FRAME.exec(frame) ?? [];
  return name === undefined ? `at ${prefix}${shortPlace(bare)}` : `at ${name} (${shortPlace(place)})`;
}

const pathOf = (place: string) => place.replaceAll('\\', '/').replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, '');
/** Root of the program relative to this file: in the sources, in the package, or in the build. */
const ROOT =
  /^.*?\/(?=(?:src\/)?base\/error-facts\.[jt]s$|out\/main\/(?:chunks\/)?[^/]+$)/.exec(
    pathOf(import.meta.url),
  )?.[0] ?? null;
/** Length limit of a path, in characters. */
const MAX_PATH = 200;

/** A place without the folders above the program and its packages. */
function shortPlace(place: string): string {
  if (/^(?:<anonymous>|native|index \d{1,9})$/.test(place)) return place;
  const [, whole = '', position = ''] = /^(.*?)((?::\d{1,9}){0,2})$/s.exec(place) ?? [];
  const path = pathOf(whole);
  if (/^node:[\w/.-]{1,100}$/.test(path)) return path + position;
  // A file of the built interface.
  const asset = /^[a-z]{1,8}:\/\/[^/]*\/(assets\/[\w.-]{1,100})$/.exec(path)?.[1];
  if (asset !== undefined) return asset + position;
  const packages = path.lastIndexOf('/node_modules/');
  if (packages !== -1) return path.slice(packages + 1).slice(0, MAX_PATH) + position;
  if (ROOT !== null && path.startsWith(ROOT)) return path.slice(ROOT.length).slice(0, MAX_PATH) + position;
  return `…${position}`;
}
