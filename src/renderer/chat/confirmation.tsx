import { useEffect } from 'react';
import { useActions } from './actions/action-state.tsx';

/** Display time, in milliseconds. */
const SHOWN_FOR = 2500;

/** Confirmation of a recent action on a message, for example that it was copied. */
export function Confirmation() {
  const { confirmation, confirm } = useActions();
  useEffect(() => {
    if (confirmation === '') return;
    const timer = setTimeout(() => confirm(''), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [confirmation, confirm]);
  return (
    <div aria-live="polite" className="relative h-0">
      {confirmation !== '' && (
        <p className="appear absolute inset-x-0 bottom-2 z-10 mx-auto w-fit max-w-full rounded-control bg-ink px-2.5 py-1.5 text-meta text-surface shadow-menu">
          {confirmation}
        </p>
      )}
    </div>
  );
}
