import { Check, CircleAlert, Clock3, type LucideIcon } from 'lucide-react';
import type { MessageState } from '../../bridge/shapes.ts';
import { t } from '../words.tsx';

type OwnState = Exclude<MessageState, 'received'>;

const states: Record<OwnState, { icon: LucideIcon; label: string; className: string }> = {
  queued: { icon: Clock3, label: t('chat.sending'), className: 'text-ink-soft' },
  sent: { icon: Check, label: t('chat.sent'), className: 'text-ink-soft' },
  failed: { icon: CircleAlert, label: t('chat.notSent'), className: 'text-danger-ink' },
};

/** How far an own message came: a clock, a tick or an alert. Nothing for messages of others. */
export function MessageStateIcon({ state }: { state: MessageState }) {
  if (state === 'received') return null;
  const { icon: Icon, label, className } = states[state];
  return (
    <Icon aria-label={label} className={`size-3.5 shrink-0 ${className}`} role="img" strokeWidth={2.2} />
  );
}
