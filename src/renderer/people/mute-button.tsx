import { Menu } from '@base-ui/react/menu';
import { Bell, BellOff, Clock3 } from 'lucide-react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import type { Muted } from '../../bridge/shapes/values.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { MenuItem, menuClass } from '../design/menu.tsx';
import { usePopupReturn } from '../design/use-popup-return.ts';
import { t } from '../words.tsx';
import { muteChoices } from './mute-choices.ts';

/** Mutes a conversation for some time, or unmutes it. */
export function MuteButton({ conversation: { id, mutedUntil } }: { conversation: Conversation }) {
  const setMuted = useCommand('conversations.setMuted');
  const change = (until: Muted | null) => setMuted.mutate({ id, until });
  const { open, setOpen, trigger, popup } = usePopupReturn();
  const muted = mutedUntil !== null;
  const Icon = muted ? Bell : BellOff;
  const look = (
    <>
      <Icon aria-hidden="true" className="size-4" />
      {muted ? t('chat.unmute') : t('chat.mute')}
    </>
  );
  // One button for both: it keeps the focus when it changes.
  return (
    <Menu.Root onOpenChange={(next) => setOpen(next && !muted)} open={open}>
      <Menu.Trigger
        onClick={muted ? () => change(null) : undefined}
        ref={trigger}
        render={<Button busy={setMuted.isPending} />}
      >
        {look}
      </Menu.Trigger>
      <Menu.Portal container={document.querySelector('main')}>
        <Menu.Positioner align="start" className="z-50" sideOffset={4}>
          <Menu.Popup className={menuClass} ref={popup}>
            {muteChoices.map(({ label, until }) => (
              <MenuItem
                icon={until(0) === 'always' ? BellOff : Clock3}
                key={label}
                label={label}
                onClick={() => change(until(Date.now()))}
              />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
