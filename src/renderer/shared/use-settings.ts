import { useQueryClient } from '@tanstack/react-query';
import { startTransition, useOptimistic } from 'react';
import type { Settings } from '../../bridge/settings.ts';
import { queryKey, useBridgeQuery, useCommand } from '../bridge.ts';

interface ChangeableSettings {
  /** Undefined until they are known. */
  settings: Settings | undefined;
  set: (changes: Partial<Settings>) => void;
}

/**
 * The settings with the changes that are being saved: a second key on a control counts from the first one, although the
 * engine has not answered yet. Changes that cannot be saved are undone, and a toast gives the reason.
 */
export function useSettings(): ChangeableSettings {
  const client = useQueryClient();
  const { data: saved } = useBridgeQuery('settings.get', {});
  const [settings, change] = useOptimistic(saved, (before, changes: Partial<Settings>) =>
    before ? { ...before, ...changes } : before,
  );
  const { mutateAsync } = useCommand('settings.set', {
    // The event with the same settings may come after the answer.
    onSuccess: (answer) => client.setQueryData(queryKey('settings.get', {}), answer),
  });
  const save = async (changes: Partial<Settings>) => {
    change(changes);
    await mutateAsync(changes).catch(() => undefined);
  };
  return { settings, set: (changes) => startTransition(() => save(changes)) };
}
