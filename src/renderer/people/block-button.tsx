import { useState } from 'react';
import type { DirectConversation } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { personName } from '../shared/person.ts';
import { t } from '../words.tsx';

interface BlockButtonProps {
  conversation: DirectConversation;
  onBlocked?: () => void;
}

/** Blocks a person after a confirmation, or unblocks them. */
export function BlockButton({ conversation: { id, peer, state }, onBlocked }: BlockButtonProps) {
  const [asking, setAsking] = useState(false);
  const block = useCommand('conversations.block', { ...(onBlocked && { onSuccess: onBlocked }) });
  const unblock = useCommand('conversations.unblock');
  if (state === 'blocked') {
    return (
      <Button busy={unblock.isPending} onClick={() => unblock.mutate({ id })}>
        {t('chat.unblock')}
      </Button>
    );
  }
  return (
    <>
      <Button busy={block.isPending} onClick={() => setAsking(true)} tone="danger">
        {t('chat.block')}
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
