import { useEffect } from 'react';
import { useActions } from './actions/action-state.tsx';

/** Display time, in milliseconds. */
const SAID_FOR = 2500;

/** Confirmation of a recent action on a message, for example that it was copied. */
export function Told() {
  const { told, tell } = useActions();
  useEffect(() => {
    if (told === '') return;
    const timer = setTimeout(() => tell(''), SAID_FOR);
    return () => clearTimeout(timer);
  }, [told, tell]);
  return (
    <div className="relative h-0" role="status">
      {told !== '' && (
        <p className="appear absolute inset-x-0 bottom-2 z-10 mx-auto w-fit max-w-full rounded-control bg-ink px-2.5 py-1.5 text-meta text-surface shadow-menu">
          {told}
        </p>
      )}
    </div>
  );
}
