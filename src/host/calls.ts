/**
 * What an interface can call: the engine's procedures, and those that a host answers itself.
 */
import { z } from 'zod';
import { type EventName, type HostProcedures, hostProcedures, type Output } from '../bridge/contract.ts';
import type { Answer } from '../bridge/failure.ts';
import { defaultSettings, Settings } from '../bridge/shapes.ts';
import type { EngineHandle } from '../engine/start.ts';

/** Everything behind one door, held to the contract. */
export interface Calls {
  /** Never rejects: failure is data. */
  call(name: string, input: unknown): Promise<Answer<unknown>>;
  /** Every event of engine and host. Returns the function that stops listening. */
  onEvent(listener: (name: EventName, payload: unknown) => void): () => void;
  /** Tells an event of the host's own. */
  tell(name: EventName, payload: unknown): void;
  settings(): Settings;
}

export interface CallsOptions {
  engine: EngineHandle;
  /** Where settings are kept: electron-store, or conf on which it stands. */
  settings: { store: Settings };
  info: Output<'host.info'>;
}

/** A file that somebody edited by hand may hold anything: what is not a setting counts as not set. */
const StoredSettings = z.object({
  theme: Settings.shape.theme.catch(defaultSettings.theme),
  keepInTray: Settings.shape.keepInTray.catch(defaultSettings.keepInTray),
  notifications: Settings.shape.notifications.catch(defaultSettings.notifications),
}) satisfies z.ZodType<Settings>;

export function createCalls({ engine, settings: file, info }: CallsOptions): Calls {
  const listeners = new Set<(name: EventName, payload: unknown) => void>();
  const tell = (name: EventName, payload: unknown) => {
    for (const listener of listeners) listener(name, payload);
  };
  const settings = (): Settings => StoredSettings.parse({ ...file.store });

  const own = {
    'host.info': () => info,
    'settings.get': () => settings(),
    'settings.set': (input: unknown) => {
      const changed = { ...settings(), ...hostProcedures['settings.set'].input.parse(input) };
      file.store = Settings.parse(changed);
      tell('settings.changed', changed);
      return changed;
    },
  } satisfies Record<keyof HostProcedures, (input: unknown) => unknown>;

  return {
    settings,
    tell,
    async call(name, input) {
      if (!Object.hasOwn(own, name)) return engine.call(name, input);
      const procedure = name as keyof HostProcedures;
      return callOwn(own[procedure], procedure, input);
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
    const sentence = 'The settings could not be read or saved. Is there room on the disk?';
    return { ok: false, failure: { code: 'internal', sentence } };
  }
}
