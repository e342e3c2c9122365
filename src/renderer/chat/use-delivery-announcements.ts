import { useEffect, useRef, useState } from 'react';
import type { Message } from '../../bridge/shapes/message.ts';
import { useBridgeQuery } from '../bridge.ts';
import { announce } from '../shared/announcements.tsx';
import { failureText, t } from '../words.tsx';

type DeliveryWarning = 'waiting' | 'failed' | null;

/**
 * Announces own messages of the open chat that wait for the server or a contact, and those that failed: each once. Earlier ones
 * are shown by their messages.
 */
export function useDeliveryAnnouncements(messages: readonly Message[] | undefined): void {
  const { data: connection } = useBridgeQuery('connection.get', {});
  const isOffline = connection?.state === 'offline';
  const [openedAt] = useState(Date.now);
  const known = useRef(new Map<string, DeliveryWarning>());
  useEffect(() => {
    if (!messages) return;
    const changed = messages.filter((message) => {
      const { id, at } = message;
      const warning = warningOf(message, isOffline);
      const before = known.current.get(id);
      known.current.set(id, warning);
      return warning !== null && warning !== before && (before !== undefined || at >= openedAt);
    });
    announceAll(
      changed.filter(({ state }) => state === 'failed'),
      'failed',
    );
    announceAll(
      changed.filter(({ state }) => state === 'queued'),
      'waiting',
    );
  }, [messages, isOffline, openedAt]);
}

function warningOf({ state, problem }: Message, isOffline: boolean): DeliveryWarning {
  if (state === 'failed') return 'failed';
  return state === 'queued' && (problem !== null || isOffline) ? 'waiting' : null;
}

/** Of several messages only the number is announced. */
function announceAll(messages: readonly Message[], warning: 'failed' | 'waiting'): void {
  const [first] = messages;
  if (!first) return;
  const count = messages.length;
  const isFailed = warning === 'failed';
  if (count === 1 && first.problem) {
    const values = { reason: failureText(first.problem) };
    announce(isFailed ? t('chat.failedBecause', values) : t('chat.waitingBecause', values));
  } else announce(isFailed ? t('chat.failedCount', { count }) : t('chat.waitingCount', { count }));
}
