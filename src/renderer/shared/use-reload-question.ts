import { useEffect } from 'react';

/** Asks before the page is closed or loaded again while the condition is true. */
export function useReloadQuestion(isAsked: boolean): void {
  useEffect(() => {
    if (!isAsked) return;
    const question = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', question);
    return () => removeEventListener('beforeunload', question);
  }, [isAsked]);
}
