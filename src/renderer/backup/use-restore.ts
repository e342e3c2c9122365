import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { needsOtherBackup } from '../../base/backup-failures.ts';
import type { Input, Output } from '../../bridge/contract.ts';
import { callBridge, queryKey, useBridgeQuery } from '../bridge.ts';
import { BridgeFailure } from '../bridge-failure.ts';
import { Unreadable } from '../shared/unreadable.ts';
import { writePieces } from '../shared/write-file.ts';

/** A restore in the window: the choice of a file, then possibly its passphrase. */
export interface Restore {
  /** False until the kind of the host is known: then a backup can be chosen. */
  isReady: boolean;
  /** True if the host has no dialog: the page asks for the file. */
  opensFilePicker: boolean;
  /** Asks for the file or folder on the desktop, and restores it. */
  choose: (from: From) => void;
  /** Restores a file that the page has asked for. */
  restoreFile: (file: File) => void;
  /** True if the chosen backup needs a passphrase or recovery phrase. */
  needsSecret: boolean;
  unlock: (secret: string) => void;
  cancel: () => void;
  isBusy: boolean;
  /** The choice that is being restored; null if none is, or with a typed secret. */
  running: From | null;
  /** Set at its end. */
  restored: Output<'backup.restore'> | null;
  /** The reason of a failure, as a sentence. */
  problem: string | null;
}

type From = Input<'backup.choose'>['from'];

/** A file, or the kind of dialog that asks for it; null after the choice: the secret follows. */
interface Choice {
  from: File | From | null;
  secret: string | null;
}

/** @returns null if there was nothing to restore */
async function restore({ from, secret }: Choice): Promise<Output<'backup.restore'> | null> {
  if (from instanceof File) {
    const { path } = await callBridge('backup.upload', { size: from.size });
    await writePieces(path, from).catch((error: unknown) => {
      throw error instanceof Unreadable
        ? new BridgeFailure({ code: 'backup_unreadable', parameters: {} })
        : error;
    });
  } else if (from !== null) {
    const { isChosen } = await callBridge('backup.choose', { from });
    if (!isChosen) return null;
  }
  return callBridge('backup.restore', { secret });
}

export function useRestore(): Restore {
  const host = useBridgeQuery('host.info', {}).data;
  const [needsSecret, setNeedsSecret] = useState(false);
  const client = useQueryClient();
  const run = useMutation({
    // Ends with the new state: the earlier one, with progress, would disable the button that gets the focus.
    mutationFn: (choice: Choice) =>
      restore(choice).finally(() => client.invalidateQueries({ queryKey: queryKey('backup.get') })),
    meta: { showsFailure: true },
  });
  // These functions run after the end of the work, which would disable the button that gets the focus of the form.
  const start = (choice: Choice) =>
    run.mutate(choice, {
      onSuccess: () => setNeedsSecret(false),
      onError: (error) => {
        const code = error instanceof BridgeFailure ? error.code : null;
        if (code === 'backup_secret_wrong') setNeedsSecret(true);
        else if (choice.secret === null || (code !== null && needsOtherBackup(code))) setNeedsSecret(false);
      },
    });
  const from = (run.isPending && run.variables?.from) || null;
  // Without a typed secret, the phrase of this computer was tried: that is not a mistake of the person.
  const isFirst = needsSecret && run.variables?.secret === null;
  return {
    isReady: host !== undefined,
    opensFilePicker: host?.kind === 'browser',
    choose: (from) => start({ from, secret: null }),
    restoreFile: (file) => start({ from: file, secret: null }),
    needsSecret,
    unlock: (secret) => start({ from: null, secret }),
    cancel: () => {
      setNeedsSecret(false);
      run.reset();
    },
    isBusy: run.isPending,
    running: from instanceof File ? 'file' : from,
    restored: run.data ?? null,
    problem: isFirst ? null : (run.error?.message ?? null),
  };
}
