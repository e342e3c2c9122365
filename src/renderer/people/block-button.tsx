import { useState } from 'react';
import { personName } from '../../base/person-name.ts';
import type { DirectConversation } from '../../bridge/shapes/conversation.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { useClosingWhenShutOut, useMayAct } from '../shared/use-shut-out.ts';
import { t } from '../words.tsx';

interface BlockButtonProps {
  conversation: DirectConversation;
  onBlocked?: () => void;
}

/** Blocks a person after a confirmation, or unblocks them. Absent on a computer that the server no longer accepts. */
export function BlockButton({ conversation: { id, peer, state }, onBlocked }: BlockButtonProps) {
  const [asking, setAsking] = useState(false);
  const block = useCommand('conversations.block', { ...(onBlocked && { onSuccess: onBlocked }) });
  const { closeConversation } = useNavigation();
  // An empty chat that only the block made is removed.
  const unblock = useCommand('conversations.unblock', { onSuccess: (left) => left ?? closeConversation() });
  const isBlocked = state === 'blocked';
  const mayAct = useMayAct();
  useClosingWhenShutOut(() => setAsking(false));
  if (!mayAct) return null;
  // One button for both: it keeps the focus when it changes.
  return (
    <>
      <Button
        busy={block.isPending || unblock.isPending}
        onClick={() => (isBlocked ? unblock.mutate({ id }) : setAsking(true))}
        tone={isBlocked ? 'plain' : 'danger'}
      >
        {isBlocked ? t('chat.unblock') : t('chat.block')}
      </Button>
      <Confirmation
        action={t('chat.block')}
        explanation={t('chat.blockedText')}
        onClose={() => setAsking(false)}
        onConfirm={() => block.mutate({ id })}
        open={asking}
        title={t('chat.blockTitle', { name: personName(peer) })}
      />
    </>
  );
}
