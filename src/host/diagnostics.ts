/**
 * A fault report that a person can pass to the developers. Its text is the same in every language. It
 * contains versions, settings, numbers and the newest records of the log. It contains nothing about the
 * person, their contacts, messages or relay.
 */
import { release } from 'node:os';
import { logFolder, newestRecords } from '../base/node/log-files.ts';
import type { Output } from '../bridge/contract.ts';
import { reportedSettings, type Settings } from '../bridge/settings.ts';
import type { Session } from './session.ts';

export interface DiagnosticsParts {
  session: Session;
  settings: Settings;
  info: Omit<Output<'host.info'>, 'keyProtection'>;
}

/** Limit of log records in a report. */
const MAX_RECORDS = 200;
/** Limit of their characters: a clipboard accepts 65,536 from the page. */
const MAX_CHARACTERS = 48 * 1024;
/** Longest wait for the engine, in milliseconds: a report is needed most when the engine does not answer. */
const MAX_WAIT = 3_000;
const PROGRAMS = ['electron', 'chrome', 'node', 'v8', 'openssl'] as const;

type Facts = Record<string, string | number | boolean | null>;

export async function diagnosticsText({ session, settings, info }: DiagnosticsParts): Promise<string> {
  const { phase, because } = session.state;
  const facts: Facts = {
    waxwing: info.version,
    host: info.kind,
    system: `${process.platform} ${process.arch} ${release()}`,
    ...Object.fromEntries(PROGRAMS.map((name) => [name, process.versions[name] ?? null])),
    secondsSinceStart: Math.round(process.uptime()),
    megabytesOfMemory: Math.round(process.memoryUsage.rss() / 2 ** 20),
    lock: phase,
    lockedBecause: because,
    key: session.protection.kind,
    ...reportedSettings(settings),
    ...(await engineFacts(session)),
  };
  const lines = Object.entries(facts).flatMap(([name, value]) => (value === null ? [] : `${name}: ${value}`));
  const records = await newestRecords(logFolder(session.folder), MAX_RECORDS, MAX_CHARACTERS);
  return [...lines, 'log:', ...records, ''].join('\n');
}

/** Facts from the engine, or the code of its failure. */
async function engineFacts(session: Session): Promise<Facts> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Facts>((resolve) => {
    timer = setTimeout(() => resolve({ engine: 'late' }), MAX_WAIT);
  });
  const answered = session
    .call('diagnostics.counts', {})
    .then((answer): Facts => (answer.ok ? (answer.value as Facts) : { engine: answer.failure.code }));
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}
