import type { Message } from '../../bridge/shapes/message.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { failureText, t } from '../words.tsx';
import { useRowActions } from './actions/action-state.tsx';

/** The reason for not sending an own message, and its remedies. */
export function FailedActions({ message }: { message: Message }) {
  const { control, maySend } = useRowActions();
  const retry = useCommand('messages.retry', { onSuccess: control.put });
  const discard = useCommand('messages.discard', { onSuccess: (_, { id }) => control.remove(id) });
  return (
    <div className="mt-1 flex max-w-[min(36rem,86%)] flex-col items-end">
      <p className="break-words text-end text-danger-ink text-meta">
        {message.problem ? failureText(message.problem) : t('chat.notSent')}
      </p>
      <div className="-me-1 flex">
        {maySend && (
          <Button
            busy={retry.isPending}
            onClick={() => retry.mutate({ id: message.id })}
            size="small"
            tone="quiet"
          >
            {t('chat.retry')}
          </Button>
        )}
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
