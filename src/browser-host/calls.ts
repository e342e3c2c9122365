/**
 * What pages can call: the engine's procedures, and those that this host answers itself.
 */

import Conf from 'conf';
import { type EventName, type HostProcedures, hostProcedures } from '../bridge/contract.ts';
import type { Answer } from '../bridge/failure.ts';
import { defaultSettings, Settings } from '../bridge/shapes.ts';
import type { EngineHandle } from '../engine/start.ts';
import { KEY_FILE_PROTECTION } from './key-file.ts';
import type { Calls } from './sockets.ts';

export interface CallsOptions {
  engine: EngineHandle;
  /** Where the settings file is. */
  dataDirectory: string;
  version: string;
}

/** Engine and host procedures behind one `call`. */
export function createCalls({ engine, dataDirectory, version }: CallsOptions): Calls {
  const store = new Conf<Settings>({ cwd: dataDirectory, configName: 'settings', defaults: defaultSettings });
  const listeners = new Set<(name: EventName, payload: unknown) => void>();
  // A file that somebody edited by hand may hold anything.
  const settings = (): Settings =>
    Settings.catch(defaultSettings).parse({ ...defaultSettings, ...store.store });

  const own = {
    'host.info': () => ({
      kind: 'browser',
      version,
      platform: process.platform,
      keyProtection: KEY_FILE_PROTECTION,
    }),
    'settings.get': () => settings(),
    'settings.set': (input: unknown) => {
      const changed = { ...settings(), ...hostProcedures['settings.set'].input.parse(input) };
      store.store = Settings.parse(changed);
      for (const listener of listeners) listener('settings.changed', changed);
      return changed;
    },
  } satisfies Record<keyof HostProcedures, (input: unknown) => unknown>;

  return {
    async call(name, input) {
      if (!Object.hasOwn(own, name)) return engine.call(name, input);
      return callOwn(own[name as keyof HostProcedures], name as keyof HostProcedures, input);
    },
    onEvent(listener) {
      listeners.add(listener);
      const stop = engine.onEvent(listener);
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
  };
}

function callOwn(
  procedure: (input: unknown) => unknown,
  name: keyof HostProcedures,
  input: unknown,
): Answer<unknown> {
  if (!hostProcedures[name].input.safeParse(input).success) {
    const sentence = 'This input does not have the expected form.';
    return { ok: false, failure: { code: 'invalid_input', sentence } };
  }
  try {
    return { ok: true, value: procedure(input) };
  } catch {
    const sentence = 'The setting could not be saved. Is there room on the disk?';
    return { ok: false, failure: { code: 'internal', sentence } };
  }
}
