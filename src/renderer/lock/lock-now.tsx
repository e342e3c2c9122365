/** Locking at any moment: also while the page is loading, before its content is known. */
import { createContext, type ReactNode, useContext, useEffectEvent, useLayoutEffect, useState } from 'react';
import { callBridge } from '../bridge.ts';
import { showFailure } from '../design/toasts.tsx';
import { isShortcut } from '../shared/shortcuts.ts';
import { saveDrafts } from '../shared/unsaved-drafts.ts';
import { t } from '../words.tsx';

interface LockNow {
  lock: () => void;
  /** True after a request to lock without a passphrase: it stayed open. */
  needsPassphrase: boolean;
  /** Called after the person was shown the passphrase setting. */
  settle: () => void;
}

const Context = createContext<LockNow | null>(null);

/** The function for locking, and whether a passphrase must be set first. */
export function useLockNow(): LockNow {
  const lockNow = useContext(Context);
  if (!lockNow) throw new Error('useLockNow needs a LockNowProvider above it.');
  return lockNow;
}

/** Ctrl or Cmd with L locks, on any page. */
export function LockNowProvider({ children }: { children: ReactNode }) {
  const [needsPassphrase, setNeedsPassphrase] = useState(false);
  const lock = () => {
    // The host runs calls in order: recent drafts are saved before the data is closed. This does not wait, because a
    // missing answer would leave the data open.
    void saveDrafts();
    callBridge('lock.now', {}).then(
      ({ phase }) => setNeedsPassphrase(phase === 'open'),
      (error) => showFailure(error, t('action.lock')),
    );
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut('lock', event)) return;
    event.preventDefault();
    lock();
  });
  // Before the first paint: a visible window can be locked.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  return (
    <Context value={{ lock, needsPassphrase, settle: () => setNeedsPassphrase(false) }}>{children}</Context>
  );
}
