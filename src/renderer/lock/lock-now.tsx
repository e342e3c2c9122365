/**
 * Locking, at any moment: also while the page still loads, when nothing is known yet of what it will show.
 */
import { createContext, type ReactNode, useContext, useEffectEvent, useLayoutEffect, useState } from 'react';
import { ask } from '../bridge.ts';
import { tellFailure } from '../design/toasts.tsx';
import { isShortcut } from '../shared/shortcuts.ts';
import { saveDrafts } from '../shared/unsaved-drafts.ts';
import { t } from '../words.tsx';

interface LockNow {
  lock: () => void;
  /** Whether it was asked to lock and stayed open: no passphrase is set to unlock with. */
  needsPassphrase: boolean;
  /** The person was shown where to set one. */
  settle: () => void;
}

const Context = createContext<LockNow | null>(null);

/** What locks, and whether that takes a passphrase first. */
export function useLockNow(): LockNow {
  const lockNow = useContext(Context);
  if (!lockNow) throw new Error('useLockNow needs a LockNowProvider above it.');
  return lockNow;
}

/** Ctrl or Cmd with L locks, whatever is shown below. */
export function LockNowProvider({ children }: { children: ReactNode }) {
  const [needsPassphrase, setNeedsPassphrase] = useState(false);
  const lock = () => {
    // The host does one after the other: what was written a moment ago is saved before the data is closed. Nothing is
    // waited for here, where an answer that never comes would leave it open.
    void saveDrafts();
    ask('lock.now', {}).then(
      ({ phase }) => setNeedsPassphrase(phase === 'open'),
      (error) => tellFailure(error, t('action.lock')),
    );
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut('lock', event)) return;
    event.preventDefault();
    lock();
  });
  // Before the first paint: who sees the window can lock it.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  return (
    <Context value={{ lock, needsPassphrase, settle: () => setNeedsPassphrase(false) }}>{children}</Context>
  );
}
