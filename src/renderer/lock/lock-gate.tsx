import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import type { LockState } from '../../bridge/shapes/lock-state.ts';
import { callBridge, useBridgeEvent } from '../bridge.ts';
import { forgetTrays, useHasUnsent } from '../chat/writing/files/tray.ts';
import { Opening } from '../design/opening.tsx';
import { Providers } from '../providers.tsx';
import { useReloadQuestion } from '../shared/use-reload-question.ts';
import { LockNowProvider } from './lock-now.tsx';
import { LockScreen } from './lock-screen.tsx';
import { NotOpened } from './not-opened.tsx';
import { UpdatingData } from './updating-data.tsx';

const Context = createContext<LockState | null>(null);

/** The state of the lock; always `open` below the gate. */
export function useLock(): LockState {
  const lock = useContext(Context);
  if (!lock) throw new Error('useLock needs a LockGate above it.');
  return lock;
}

/**
 * Shows the app while the data is open, otherwise only the lock. After each unlocking, everything below starts again,
 * including the cache of answers: nothing shown before the lock stays in the page's memory.
 */
export function LockGate({ children }: { children: ReactNode }) {
  const [{ lock, openings }, setState] = useState<{ lock: LockState | null; openings: number }>({
    lock: null,
    openings: 0,
  });
  const events = useRef(0);
  // Two states may arrive before either is rendered, as when all data are deleted.
  const show = (next: LockState) =>
    setState((before) => {
      const opens = next.phase === 'open' && before.lock?.phase !== 'open';
      return { lock: next, openings: before.openings + (opens ? 1 : 0) };
    });
  const refresh = () => {
    const before = events.current;
    // An event of the host is newer than the answer.
    void callBridge('lock.state', {}).then((state) => events.current === before && show(state));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once; from then on the host sends events
  useEffect(refresh, []);
  useBridgeEvent('lock.changed', (state) => {
    events.current += 1;
    show(state);
  });
  useBridgeEvent('bridge.resumed', refresh);
  useReloadQuestion(useHasUnsent());
  const isOpen = lock?.phase === 'open';
  // biome-ignore lint/correctness/useExhaustiveDependencies: each opening ends with its trays
  useEffect(() => {
    if (isOpen) return () => forgetTrays();
  }, [isOpen, openings]);
  return <LockNowProvider>{below()}</LockNowProvider>;

  function below(): ReactNode {
    if (!lock) return <Opening />;
    if (lock.phase === 'opening') {
      if (lock.failure) return <NotOpened failure={lock.failure} />;
      return lock.update ? <UpdatingData update={lock.update} /> : <Opening />;
    }
    return (
      <Context value={lock}>
        <Providers key={lock.phase === 'open' ? openings : 'locked'}>
          {lock.phase === 'open' ? children : <LockScreen lock={lock} />}
        </Providers>
      </Context>
    );
  }
}
