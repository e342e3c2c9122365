/**
 * Spelling checker. macOS has its own. On other systems Chromium's needs a dictionary per language, which it
 * fetches from Google once, and only after the person has turned it on.
 */
import type { Session } from 'electron';
import { describe } from '../base/error-facts.ts';
import { log } from '../base/log.ts';
import type { Settings } from '../bridge/settings.ts';
import type { Calls } from '../host/calls.ts';
import type { ElectronParts } from './electron.ts';
import { proxyConfigOf } from './proxy-config.ts';

/** Chromium's dictionary server (`kDownloadServerUrl` of its spellcheck_hunspell_dictionary.cc). */
const DICTIONARIES = 'https://redirector.gvt1.com/edgedl/chrome/dict/';
/** An unused port of this computer. */
const NOWHERE = 'https://127.0.0.1:9/';
/** Language without a dictionary for any of the person's languages. */
const FALLBACK = 'en-US';

/**
 * Electron fetches dictionaries even if no page checks spelling; only the session can forbid it. It has
 * started by then, so its address is replaced.
 */
export function fetchNoDictionaries(session: Session): void {
  session.setSpellCheckerEnabled(false);
  session.setSpellCheckerDictionaryDownloadURL(NOWHERE);
}

/** Languages with a dictionary; none where the system checks by itself and knows the languages. */
export function dictionariesOf(session: Session, platform: NodeJS.Platform): string[] {
  return platform === 'darwin' ? [] : session.availableSpellCheckerLanguages.toSorted();
}

/**
 * Applies the settings to the checker.
 * @returns the function that stops it
 */
export function followSpelling(
  { app, session: { defaultSession: session } }: ElectronParts,
  calls: Pick<Calls, 'settings' | 'onEvent'>,
  platform: NodeJS.Platform,
): () => void {
  let last = '';
  const follow = ({ spellCheck, spellCheckLanguages, proxy }: Settings) => {
    const isOn = spellCheck ?? platform === 'darwin';
    const wanted = JSON.stringify([isOn, spellCheckLanguages, proxy]);
    if (wanted === last) return;
    last = wanted;
    if (!isOn || platform === 'darwin') {
      fetchNoDictionaries(session);
      session.setSpellCheckerEnabled(isOn);
      return;
    }
    // Dictionaries use the same proxy as everything else.
    session.setProxy(proxyConfigOf(proxy)).then(
      () => {
        if (wanted !== last) return;
        const there = session.availableSpellCheckerLanguages;
        session.setSpellCheckerDictionaryDownloadURL(DICTIONARIES);
        session.setSpellCheckerLanguages(
          languagesOf(spellCheckLanguages, app.getPreferredSystemLanguages(), there),
        );
        session.setSpellCheckerEnabled(true);
      },
      (error) => log('warn', 'spelling.proxy-unset', describe(error)),
    );
  };
  follow(calls.settings());
  return calls.onEvent((name, payload) => {
    if (name === 'settings.changed') follow(payload as Settings);
  });
}

/**
 * Languages to check: the chosen ones, or else the system's.
 * @param there languages with a dictionary
 */
export function languagesOf(
  chosen: readonly string[],
  ofSystem: readonly string[],
  there: readonly string[],
): string[] {
  const known = chosen.filter((language) => there.includes(language));
  if (known.length > 0) return known;
  const found = ofSystem.flatMap((language) => dictionaryFor(language, there) ?? []);
  return found.length > 0 ? [...new Set(found)] : [FALLBACK];
}

/** The dictionary of the language in its country, or else of the language: de for de-AT, pt-BR for pt. */
function dictionaryFor(language: string, there: readonly string[]): string | undefined {
  const name = language.split('-')[0] ?? '';
  return (
    there.find((each) => each === language) ??
    there.find((each) => each === name) ??
    there.find((each) => each.startsWith(`${name}-`))
  );
}
