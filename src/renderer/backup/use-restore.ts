import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, useAsk } from '../bridge.ts';
import { BridgeFailure } from '../bridge-failure.ts';
import { writePieces } from '../shared/write-file.ts';

/** A restore in the window: the choice of a file, then possibly its passphrase. */
export interface Restore {
  /** True if the host has no dialog: the page asks for the file. */
  asksHere: boolean;
  /** Asks for the file on the desktop, and restores it. */
  choose: () => void;
  /** Restores a file that the page has asked for. */
  take: (file: File) => void;
  /** True if the chosen backup needs a passphrase or recovery phrase. */
  needsSecret: boolean;
  unlock: (secret: string) => void;
  cancel: () => void;
  isBusy: boolean;
  isDone: boolean;
  /** The reason of a failure, as a sentence. */
  problem: string | null;
}

/** @returns whether there was a file to restore */
async function restore(file: File | null, secret: string | null, asksHere: boolean): Promise<boolean> {
  if (secret === null && file) {
    const { path } = await ask('backup.upload', { size: file.size });
    await writePieces(path, file);
  } else if (secret === null && !asksHere) {
    const { isChosen } = await ask('backup.choose', { from: 'file' });
    if (!isChosen) return false;
  }
  await ask('backup.restore', { secret });
  return true;
}

export function useRestore(): Restore {
  const asksHere = useAsk('host.info', {}).data?.kind === 'browser';
  const [needsSecret, setNeedsSecret] = useState(false);
  const run = useMutation({
    mutationFn: ({ file, secret }: { file: File | null; secret: string | null }) =>
      restore(file, secret, asksHere),
    onSuccess: () => setNeedsSecret(false),
    onError: (error, { secret }) => {
      const isLocked = error instanceof BridgeFailure && error.code === 'backup_secret_wrong';
      if (isLocked || secret === null) setNeedsSecret(isLocked);
    },
    meta: { showsFailure: true },
  });
  // Without a typed secret, the phrase of this computer was tried: that is no mistake of the person.
  const isFirst = needsSecret && run.variables?.secret === null;
  return {
    asksHere,
    choose: () => run.mutate({ file: null, secret: null }),
    take: (file) => run.mutate({ file, secret: null }),
    needsSecret,
    unlock: (secret) => run.mutate({ file: null, secret }),
    cancel: () => {
      setNeedsSecret(false);
      run.reset();
    },
    isBusy: run.isPending,
    isDone: run.data === true,
    problem: isFirst ? null : (run.error?.message ?? null),
  };
}
