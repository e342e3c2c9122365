import { useEffect } from 'react';
import { ask } from '../bridge.ts';

/** Reports the conversation in front of the person to the host, which then shows no notifications for it. */
export function useAttention(conversationId: string | null): void {
  useEffect(() => {
    const tell = () => {
      const isInFront = document.hasFocus() && document.visibilityState === 'visible';
      // Fails while locked or disconnected; then there are no notifications either.
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
