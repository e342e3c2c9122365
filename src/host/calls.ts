/** Calls for an interface: the engine's procedures, and those of the host. */

import { describe, describeReported } from '../base/error-facts.ts';
import { Failure } from '../base/failure.ts';
import { log, logUnexpected, toFailure } from '../base/log.ts';
import { logFolder } from '../base/node/log-files.ts';
import {
  type EventName,
  engineProcedures,
  type HostProcedures,
  hostProcedures,
  type Input,
  type Output,
} from '../bridge/contract.ts';
import type { Answer } from '../bridge/failure.ts';
import { Settings, StoredSettings } from '../bridge/settings.ts';
import type { DesktopState, FirstLinks, UpdateState } from '../bridge/shapes/app.ts';
import type { FileAccess, FileSettings, ReceiptSettings } from '../engine/start.ts';
import { type BackupDesktop, backupCalls } from './backup-calls.ts';
import { BackupTransfers } from './backup-transfers.ts';
import { diagnosticsText } from './diagnostics.ts';
import { type FileDesktop, fileCalls } from './file-calls.ts';
import { lockCalls } from './lock-calls.ts';
import type { Session } from './session.ts';

/** Single entry point for all calls, validated by the contract. */
export interface Calls {
  /** Never rejects: failure is data. */
  call(name: string, input: unknown): Promise<Answer<unknown>>;
  /**
   * Listens to every event of engine and host.
   * @returns the function that stops listening
   */
  onEvent(listener: (name: EventName, payload: unknown) => void): () => void;
  /** Emits an event of the host. */
  emit(name: EventName, payload: unknown): void;
  settings(): Settings;
  /** Access to the bytes of files and backups for a page; null while locked. */
  files(): FileAccess | null;
  /** The conversation in front of the person now, according to the interface. */
  attended(): string | null;
  /** Calls a listener with each conversation that comes in front of the person. Returns the function that ends it. */
  onAttend(listener: (conversationId: string) => void): () => void;
}

export interface CallsOptions {
  session: Session;
  /** Storage of settings. */
  settings: { store: Settings };
  /** Copies into the clipboard if the interface cannot; a secret for a minute. */
  copy?: (text: string, isSecret: boolean) => Promise<void>;
  /** Shows a folder in the system's file manager; false if that fails. */
  openFolder?: (path: string) => Promise<boolean>;
  /** Saves files, and opens them in other programs, if the host can. */
  fileDesktop?: FileDesktop;
  /** Asks for the places of backups, if the host can. */
  backupDesktop?: BackupDesktop;
  /** Returns the link that waits for confirmation, once. */
  receiveLink?: () => Output<'host.receiveLink'>['link'];
  /** Restarts the app, if the host can. */
  restart?: () => void;
  /** The app's own updates, if the host has them. */
  updates?: { state(): UpdateState; check(): Promise<UpdateState> };
  /** Restrictions by the desktop; none without it. */
  desktop?: () => Promise<DesktopState>;
  info: Omit<Output<'host.info'>, 'keyProtection'>;
}

const noUpdates: UpdateState = {
  phase: 'unavailable',
  version: null,
  problem: null,
  newestFrom: null,
  installs: false,
};

const NO_LINKS: FirstLinks = { entered: null, others: [] };

const everything: DesktopState = { hasTray: true, notificationsFail: false, dictionaries: [] };

/** The settings in a file. */
export function readSettings(file: { store: Settings }): Settings {
  return StoredSettings.parse({ ...file.store });
}

/** The settings used by the engine. */
export function receiptsIn({ deliveredReceipts, readReceipts }: Settings): ReceiptSettings {
  return { delivered: deliveredReceipts, read: readReceipts };
}

/** The settings about files used by the engine. */
export function filesIn({ keepFilesDays }: Settings): FileSettings {
  return { keepDays: keepFilesDays };
}

export function createCalls(options: CallsOptions): Calls {
  const { session, settings: file, info, copy, openFolder, receiveLink, updates, desktop, restart } = options;
  const { fileDesktop, backupDesktop } = options;
  const transfers = new BackupTransfers(session.folder);
  const listeners = new Set<(name: EventName, payload: unknown) => void>();
  const emit = (name: EventName, payload: unknown) => {
    for (const listener of listeners) listener(name, payload);
  };
  const settings = () => readSettings(file);
  let attended: string | null = null;
  // Only in memory: an invite link contains a secret, and there may be no account yet.
  let firstLinks = NO_LINKS;
  const requireOpen = () => {
    if (!session.isOpen) throw new Failure('locked');
  };
  const lock = lockCalls(session, info.kind === 'electron');
  const attendListeners = new Set<(conversationId: string) => void>();

  const own = {
    ...lock,
    'lock.wipe': async (input: Input<'lock.wipe'>) => {
      const links = firstLinks;
      firstLinks = NO_LINKS;
      try {
        return await lock['lock.wipe'](input);
      } catch (error) {
        firstLinks = links;
        throw error;
      }
    },
    ...fileCalls(session, fileDesktop),
    ...backupCalls(session, backupDesktop, transfers),
    'host.info': () => ({ ...info, keyProtection: session.protection }),
    'host.desktop': async () => (await desktop?.()) ?? everything,
    'host.attend': ({ conversationId }: Input<'host.attend'>) => {
      attended = conversationId;
      if (conversationId !== null) for (const listener of attendListeners) listener(conversationId);
      return {};
    },
    'host.receiveLink': () => ({ link: receiveLink?.() ?? null }),
    'host.firstLinks': () => {
      requireOpen();
      return firstLinks;
    },
    'host.setFirstLinks': (links: FirstLinks) => {
      requireOpen();
      firstLinks = links;
      return {};
    },
    'host.restart': () => {
      if (!restart) throw new Failure('restarted_by_hand');
      restart();
      return {};
    },
    'diagnostics.text': async () => ({
      text: await diagnosticsText({ session, settings: settings(), info }),
    }),
    'diagnostics.report': (error: Input<'diagnostics.report'>) => ({
      id: logUnexpected(describeReported(error), 'page.unexpected'),
    }),
    'diagnostics.openLogs': async () => {
      const path = logFolder(session.folder);
      return { isOpened: (await openFolder?.(path)) ?? false, path };
    },
    'clipboard.copy': async ({ text, isSecret }: Input<'clipboard.copy'>) => {
      if (!copy) throw new Failure('copied_by_page');
      await copy(text, isSecret);
      return {};
    },
    'updates.state': () => updates?.state() ?? noUpdates,
    'updates.check': async () => (await updates?.check()) ?? noUpdates,
    'settings.get': () => settings(),
    'settings.set': (input: unknown) => {
      requireOpen();
      const checked = hostProcedures['settings.set'].input.parse(input);
      try {
        const changed = Settings.parse({ ...settings(), ...checked });
        file.store = changed;
        emit('settings.changed', changed);
        // Running calls used the old proxy.
        if (checked.proxy !== undefined) session.wake();
        if (checked.deliveredReceipts !== undefined || checked.readReceipts !== undefined)
          session.setReceipts(receiptsIn(changed));
        if (checked.keepFilesDays !== undefined) session.setFiles(filesIn(changed));
        return changed;
      } catch (error) {
        log('error', 'settings.unsaved', describe(error));
        throw new Failure('settings_unsaved');
      }
    },
  } satisfies { [N in keyof HostProcedures]: (input: never) => Output<N> | Promise<Output<N>> };

  return {
    settings,
    emit,
    attended: () => attended,
    onAttend(listener) {
      attendListeners.add(listener);
      return () => attendListeners.delete(listener);
    },
    files: () => session.files && transfers.with(session.files),
    async call(name, input) {
      if (name === 'devices.link' || name === 'devices.forgetSecret') {
        return guarded(session, info.kind, name, input);
      }
      // Without the person's choice, no server learns of what they write.
      if (name === 'links.preview' && !settings().linkPreviews) {
        const { success } = engineProcedures[name].input.safeParse(input);
        return success
          ? { ok: true, value: { page: null } }
          : { ok: false, failure: new Failure('input_malformed').data };
      }
      if (!Object.hasOwn(own, name)) return session.call(name, input);
      const procedure = name as keyof HostProcedures;
      return callOwn(own[procedure] as (input: unknown) => unknown, procedure, input);
    },

    onEvent(listener) {
      listeners.add(listener);
      const stop = session.onEvent(listener);
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
  };
}

async function callOwn(
  procedure: (input: unknown) => unknown,
  name: keyof HostProcedures,
  input: unknown,
): Promise<Answer<unknown>> {
  const checked = hostProcedures[name].input.safeParse(input);
  if (!checked.success) {
    return { ok: false, failure: new Failure('input_malformed').data };
  }
  try {
    return { ok: true, value: hostProcedures[name].output.parse(await procedure(checked.data)) };
  } catch (error) {
    return { ok: false, failure: toFailure(error).data };
  }
}

/**
 * Protects engine procedures with the passphrase, which the engine need not know. A typed secret is checked
 * against the account, and proves as much. In a browser, where a page is less protected, linking a computer
 * requires one of the two.
 */
async function guarded(
  session: Session,
  host: CallsOptions['info']['kind'],
  name: 'devices.link' | 'devices.forgetSecret',
  input: unknown,
): Promise<Answer<unknown>> {
  const checked = engineProcedures[name].input.safeParse(input);
  // The engine reports the problem with the input.
  if (!checked.success) return session.call(name, input);
  const isSigned = name === 'devices.link' && checked.data.secret !== undefined;
  try {
    if (!isSigned) await session.confirm(checked.data.passphrase);
    if (!isSigned && host === 'browser' && session.protection.kind !== 'passphrase') {
      throw new Failure('link_needs_lock');
    }
  } catch (error) {
    return { ok: false, failure: toFailure(error).data };
  }
  return session.call(name, { ...checked.data, passphrase: null });
}
