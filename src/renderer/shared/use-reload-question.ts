import { useEffect } from 'react';

/** Asks before the page is closed or loaded again while the condition is true. */
export function useReloadQuestion(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const question = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', question);
    return () => removeEventListener('beforeunload', question);
  }, [isActive]);
}
