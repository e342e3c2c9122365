import { useState } from 'react';
import type { Conversation } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { conversationName } from '../shared/conversation.ts';
import { useNavigation } from '../shared/navigation.tsx';

/** Deletes a conversation from this device, after asking. */
export function DeleteButton({
  conversation,
  label = 'Delete',
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
        action="Delete conversation"
        explanation={`All messages ${conversation.kind === 'group' ? 'in' : 'with'} ${conversationName(conversation)} are removed from this device. This cannot be undone.`}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate({ id: conversation.id })}
        open={asking}
        title="Delete this conversation?"
      />
    </>
  );
}
