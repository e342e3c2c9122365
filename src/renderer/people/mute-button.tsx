import { Bell, BellOff } from 'lucide-react';
import type { Conversation } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { t } from '../words.tsx';

/** Whether a conversation asks for attention. */
export function MuteButton({ conversation: { id, mutedUntil } }: { conversation: Conversation }) {
  const setMuted = useCommand('conversations.setMuted');
  const muted = mutedUntil !== null;
  const Icon = muted ? Bell : BellOff;
  return (
    <Button busy={setMuted.isPending} onClick={() => setMuted.mutate({ id, until: muted ? null : 'always' })}>
      <Icon aria-hidden="true" className="size-4" />
      {muted ? t('chat.unmute') : t('chat.mute')}
    </Button>
  );
}
