import { Check, CheckCheck, CircleAlert, CircleCheck, Clock3, type LucideIcon } from 'lucide-react';
import type { Message } from '../../bridge/shapes/message.ts';
import { t } from '../words.tsx';
import { type Delivery, deliveryOf } from './delivery.ts';

const looks: Record<Delivery, { icon: LucideIcon; label: string; className: string }> = {
  sending: { icon: Clock3, label: t('chat.sending'), className: 'text-ink-soft' },
  sent: { icon: Check, label: t('chat.sent'), className: 'text-ink-soft' },
  delivered: { icon: CheckCheck, label: t('message.delivered'), className: 'text-ink-soft' },
  read: {
    icon: CircleCheck,
    label: t('message.read'),
    className: 'fill-current text-accent-ink [&>path]:stroke-surface',
  },
  failed: { icon: CircleAlert, label: t('chat.notSent'), className: 'text-danger-ink' },
};

/** Delivery of an own message: a clock, one tick or two, a filled one, or an alert. */
export function DeliveryMark({ delivery }: { delivery: Delivery }) {
  const { icon: Icon, label, className } = looks[delivery];
  return (
    <Icon aria-label={label} className={`size-3.5 shrink-0 ${className}`} role="img" strokeWidth={2.2}>
      <title>{label}</title>
    </Icon>
  );
}

/** The same for a message in a list; nothing for messages of others. */
export function MessageStateIcon(message: Pick<Message, 'state' | 'delivery'>) {
  const delivery = deliveryOf(message);
  return delivery && <DeliveryMark delivery={delivery} />;
}
