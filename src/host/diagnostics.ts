/**
 * The report of a fault that a person can hand to the people who repair it. Its text is the same in every language. It
 * has versions, settings, numbers and the newest records of the log, and nothing that tells who the person is, to whom
 * they write, what, or through which relay.
 */
import { release } from 'node:os';
import { logFolder, newestRecords } from '../base/node/log-files.ts';
import type { Output } from '../bridge/contract.ts';
import type { Settings } from '../bridge/shapes.ts';
import type { Session } from './session.ts';

export interface DiagnosticsParts {
  session: Session;
  settings: Settings;
  info: Omit<Output<'host.info'>, 'keyProtection'>;
}

/** Records of the log that go into a report. */
const MOST_RECORDS = 200;
/** Of them, characters: a clipboard takes 65,536 from the page. */
const MOST_CHARACTERS = 48 * 1024;
/** How long the engine may take to answer, in milliseconds: a report is wanted most when it does not. */
const MOST_WAIT = 3_000;
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
    ...settingFacts(settings),
    ...(await engineFacts(session)),
  };
  const lines = Object.entries(facts).flatMap(([name, value]) => (value === null ? [] : `${name}: ${value}`));
  const records = await newestRecords(logFolder(session.folder), MOST_RECORDS, MOST_CHARACTERS);
  return [...lines, 'log:', ...records, ''].join('\n');
}

/** What is on and what is off. Each is named: a setting of later may hold what is nobody's business. */
function settingFacts(settings: Settings): Facts {
  return {
    theme: settings.theme,
    textSize: settings.textSize,
    density: settings.density,
    listWidth: settings.listWidth,
    sendWith: settings.sendWith,
    deliveredReceipts: settings.deliveredReceipts,
    readReceipts: settings.readReceipts,
    badgeCounts: settings.badgeCounts,
    mentionsPassMute: settings.mentionsPassMute,
    keepInTray: settings.keepInTray,
    notifications: settings.notifications,
    notificationSound: settings.notificationSound,
    quietHours: settings.quietHours !== null,
    notificationsPaused: settings.notificationsPausedUntil !== null,
    startAtLogin: settings.startAtLogin,
    autoLockMinutes: settings.autoLockMinutes,
    lockWithScreen: settings.lockWithScreen,
    contentProtection: settings.contentProtection,
    spellCheck: settings.spellCheck,
    spellCheckLanguages: settings.spellCheckLanguages.length,
    proxy: settings.proxy.kind,
    updateChannel: settings.updateChannel,
    checkForUpdates: settings.checkForUpdates,
  };
}

/** What the engine tells; the code of the failure where it tells nothing. */
async function engineFacts(session: Session): Promise<Facts> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Facts>((resolve) => {
    timer = setTimeout(() => resolve({ engine: 'late' }), MOST_WAIT);
  });
  const told = session
    .call('diagnostics.counts', {})
    .then((answer): Facts => (answer.ok ? (answer.value as Facts) : { engine: answer.failure.code }));
  try {
    return await Promise.race([told, late]);
  } finally {
    clearTimeout(timer);
  }
}
