import { useEffect } from 'react';
import { callBridge } from '../bridge.ts';

/** Reports the conversation in front of the person to the host, which then shows no notifications for it. */
export function useAttention(conversationId: string | null): void {
  useEffect(() => {
    const report = () => {
      const isInFront = document.hasFocus() && document.visibilityState === 'visible';
      // Fails while locked or disconnected; then there are no notifications either.
      callBridge('host.attend', { conversationId: isInFront ? conversationId : null }).catch(() => undefined);
    };
    report();
    const signs = ['focus', 'blur'] as const;
    for (const sign of signs) window.addEventListener(sign, report);
    document.addEventListener('visibilitychange', report);
    return () => {
      for (const sign of signs) window.removeEventListener(sign, report);
      document.removeEventListener('visibilitychange', report);
    };
  }, [conversationId]);
}
