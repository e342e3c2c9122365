import { Copy, Forward, Trash2, X } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { t } from '../../words.tsx';
import { MAX_SELECTED, useActions } from './action-state.tsx';
import { copyAndConfirm, isForwardable, textOfMessages } from './action-table.ts';

/** Replaces the composer in selection mode: the actions for all selected messages. */
export function SelectionBar() {
  const state = useActions();
  const { selected, select, open, control, maySend } = state;
  const messages = (control.timeline?.messages ?? []).filter(({ id }) => selected?.has(id));
  const none = messages.length === 0;
  const mayForward = maySend && !none && messages.every(isForwardable);
  return (
    <section
      aria-label={t('message.selected', { count: messages.length })}
      className="flex shrink-0 flex-wrap items-center gap-2 border-line border-t px-3 py-3 sm:px-6"
    >
      <p aria-live="polite" className="me-auto font-semibold">
        {t('message.selected', { count: messages.length })}
        {messages.length >= MAX_SELECTED && (
          <span className="block font-normal text-ink-soft text-meta">{t('message.selectMost')}</span>
        )}
      </p>
      <Button
        disabled={none}
        onClick={() => {
          copyAndConfirm(textOfMessages(messages), state);
          select(null);
        }}
      >
        <Copy aria-hidden="true" className="size-4" />
        {t('message.copy')}
      </Button>
      <Button disabled={!mayForward} onClick={() => open({ kind: 'forward', messages })}>
        <Forward aria-hidden="true" className="size-4" />
        {t('message.forward')}
      </Button>
      <Button disabled={none} onClick={() => open({ kind: 'delete', messages })} tone="danger">
        <Trash2 aria-hidden="true" className="size-4" />
        {t('message.delete')}
      </Button>
      <Button onClick={() => select(null)} tone="quiet">
        <X aria-hidden="true" className="size-4" />
        {t('message.cancel')}
      </Button>
    </section>
  );
}
