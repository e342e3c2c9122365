import type { Message } from '../../bridge/shapes/message.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { updateText } from '../shared/update-text.ts';
import { t } from '../words.tsx';

/** A message unknown to this version: the sender's fallback text, and a link to an update. */
export function NewerMessage({ message }: { message: Message }) {
  return (
    <>
      <bdi className="block">{message.text}</bdi>
      <span className="mt-1.5 block border-line border-t pt-1.5 text-ink-soft text-meta">
        {t('chat.update')}
      </span>
      <UpdateNow />
    </>
  );
}

/** Nothing if this copy is updated by other means. */
function UpdateNow() {
  const { data: state } = useBridgeQuery('updates.state', {});
  const check = useCommand('updates.check');
  if (!state || state.phase === 'unavailable') return null;
  const isBusy = check.isPending || state.phase === 'checking' || state.phase === 'downloading';
  return (
    <span className="mt-1.5 flex flex-wrap items-center gap-2 text-ink-soft text-meta">
      <Button busy={isBusy} onClick={() => check.mutate({})} size="small">
        {t('app.updateCheck')}
      </Button>
      {state.phase !== 'idle' && <span role="status">{updateText(state)}</span>}
    </span>
  );
}
