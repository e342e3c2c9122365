import { useState } from 'react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { t } from '../words.tsx';

/** Deletes a chat from this computer, after a confirmation. */
export function DeleteButton({
  conversation,
  label = t('chat.delete'),
}: {
  conversation: Conversation;
  label?: string;
}) {
  const { closeConversation } = useNavigation();
  const [asking, setAsking] = useState(false);
  const remove = useCommand('conversations.delete', { onSuccess: closeConversation });
  return (
    <>
      <Button busy={remove.isPending} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Confirmation
        action={t('chat.deleteChat')}
        explanation={t('chat.deleteText')}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate({ id: conversation.id })}
        open={asking}
        title={t('chat.deleteTitle')}
      />
    </>
  );
}
