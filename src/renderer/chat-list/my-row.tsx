import { Settings } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { personName } from '../../base/person-name.ts';
import type { Connection, Me } from '../../bridge/shapes/account.ts';
import { useBridgeQuery } from '../bridge.ts';
import { Avatar } from '../design/avatar.tsx';
import { classNames } from '../design/class-names.ts';
import { IconButton } from '../design/icon-button.tsx';
import { announce } from '../shared/announcements.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { keysText } from '../shared/shortcuts.ts';
import { useShutOut } from '../shared/use-shut-out.ts';
import { t } from '../words.tsx';

const states: Record<Connection['state'], { label: string; dot: string }> = {
  online: { label: t('chats.online'), dot: 'bg-success-ink' },
  connecting: { label: t('chats.connecting'), dot: 'bg-warning-ink shimmer' },
  offline: { label: t('chats.offline'), dot: 'bg-ink-soft' },
};

const SHUT_OUT = { label: t('chats.shutOut'), dot: 'bg-danger-ink' };

/** The person's own row at the foot of the list, with the state of the connection. */
export function MyRow({ me }: { me: Me }) {
  const { openDialog } = useNavigation();
  const { data: connection } = useBridgeQuery('connection.get', {});
  const isShutOut = useShutOut() !== null;
  const state = isShutOut ? SHUT_OUT : states[connection?.state ?? 'connecting'];
  // Every attempt while offline would be announced, and every failure.
  const isRetry = !isShutOut && connection?.state === 'connecting' && connection.problem !== null;
  const isLost = isShutOut || isRetry || connection?.state === 'offline';
  const spoken = t('chats.connection', { state: isRetry ? states.offline.label : state.label });
  useConnectionAnnouncement(spoken, isLost, connection?.state === 'online');
  return (
    <footer className="flex items-center gap-2.5 border-line border-t px-3 py-2 rail:flex-col rail:gap-1">
      <Avatar person={me} size="small" />
      <div className="min-w-0 flex-1 rail:flex-none">
        <bdi className="block truncate font-semibold text-secondary rail:sr-only">{personName(me)}</bdi>
        <p className="flex items-center gap-1.5 text-ink-soft text-meta">
          <span aria-hidden="true" className={classNames('size-1.5 rounded-full', state.dot)} />
          <span aria-hidden="true" className="rail:hidden">
            {state.label}
          </span>
          <span className="sr-only">{spoken}</span>
        </p>
      </div>
      <IconButton
        icon={Settings}
        keys={keysText('settings')}
        label={t('chats.settings')}
        onClick={() => openDialog('settings')}
      />
    </footer>
  );
}

/** Announces a lost connection, and its return. The row is no live region: dialogs would repeat it when they close. */
function useConnectionAnnouncement(text: string, isLost: boolean, isOnline: boolean): void {
  const wasLost = useRef(false);
  useEffect(() => {
    if (!isLost && !(isOnline && wasLost.current)) return;
    wasLost.current = isLost;
    announce(text);
  }, [text, isLost, isOnline]);
}
