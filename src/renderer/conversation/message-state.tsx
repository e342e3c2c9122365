import { Check, CircleAlert, Clock3, type LucideIcon } from 'lucide-react';
import type { MessageState } from '../../bridge/shapes.ts';

type OwnState = Exclude<MessageState, 'received'>;

const states: Record<OwnState, { icon: LucideIcon; label: string; className: string }> = {
  queued: { icon: Clock3, label: 'Waiting to be sent', className: 'text-ink-soft' },
  sent: { icon: Check, label: 'Sent', className: 'text-ink-soft' },
  failed: { icon: CircleAlert, label: 'Not sent', className: 'text-wax-ink' },
};

/** How far an own message came, in words. */
export function stateLabel(state: OwnState): string {
  return states[state].label;
}

/** How far an own message came: a clock, a tick or an alert. Nothing for messages of others. */
export function MessageStateIcon({ state }: { state: MessageState }) {
  if (state === 'received') return null;
  const { icon: Icon, label, className } = states[state];
  return (
    <Icon aria-label={label} className={`size-3.5 shrink-0 ${className}`} role="img" strokeWidth={2.2} />
  );
}
