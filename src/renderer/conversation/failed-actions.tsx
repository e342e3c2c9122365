import type { Message } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { failureText, t } from '../words.tsx';

interface FailedActionsProps {
  message: Message;
  onChanged: (message: Message) => void;
  onRemoved: (id: string) => void;
}

/** Why an own message was not sent, and what can be done about it. */
export function FailedActions({ message, onChanged, onRemoved }: FailedActionsProps) {
  const retry = useCommand('messages.retry', { onSuccess: onChanged });
  const discard = useCommand('messages.discard', { onSuccess: (_, { id }) => onRemoved(id) });
  return (
    <div className="mt-1 flex max-w-[min(36rem,86%)] flex-col items-end">
      <p className="break-words text-end text-danger-ink text-meta">
        {message.problem ? failureText(message.problem) : t('chat.notSent')}
      </p>
      <div className="-me-1 flex">
        <Button
          busy={retry.isPending}
          onClick={() => retry.mutate({ id: message.id })}
          size="small"
          tone="quiet"
        >
          {t('chat.retry')}
        </Button>
        <Button
          busy={discard.isPending}
          onClick={() => discard.mutate({ id: message.id })}
          size="small"
          tone="quiet"
        >
          {t('chat.delete')}
        </Button>
      </div>
    </div>
  );
}
