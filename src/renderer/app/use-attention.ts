import { useEffect } from 'react';
import { ask } from '../bridge.ts';

/** Tells the host which conversation is in front of the person, so that it tells of no message in it. */
export function useAttention(conversationId: string | null): void {
  useEffect(() => {
    const tell = () => {
      const isInFront = document.hasFocus() && document.visibilityState === 'visible';
      // Locked, or away, at this moment: then nothing is told either.
      ask('host.attend', { conversationId: isInFront ? conversationId : null }).catch(() => undefined);
    };
    tell();
    const signs = ['focus', 'blur'] as const;
    for (const sign of signs) window.addEventListener(sign, tell);
    document.addEventListener('visibilitychange', tell);
    return () => {
      for (const sign of signs) window.removeEventListener(sign, tell);
      document.removeEventListener('visibilitychange', tell);
    };
  }, [conversationId]);
}
