import { useRef } from 'react';
import type { Message } from '../../../bridge/shapes/message.ts';
import { useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogText } from '../../design/dialog.tsx';
import { announce } from '../../shared/announcements.tsx';
import { t } from '../../words.tsx';
import { articleOf, useActions } from './action-state.tsx';

/** Asks whether to delete messages here or for everyone. */
export function DeleteDialog() {
  const { opened } = useActions();
  if (opened?.kind !== 'delete') return null;
  return <Question messages={opened.messages} />;
}

function Question({ messages }: { messages: readonly Message[] }) {
  const { control, maySend, open, select } = useActions();
  const cancel = useRef<HTMLButtonElement>(null);
  const next = useRef(messages[0]?.id ?? '');
  const ids = messages.map(({ id }) => id);
  const remove = useCommand('messages.delete', {
    onSuccess: (_, { forEveryone }) => {
      if (forEveryone) control.refresh();
      else {
        next.current = neighbour(control.timeline?.messages ?? [], ids);
        for (const id of ids) control.remove(id);
      }
      select(null);
      open(null);
      announce(t('message.deletedCount', { count: ids.length }));
    },
    onError: () => open(null),
  });
  const press = (forEveryone: boolean) => remove.mutate({ ids, forEveryone });
  const forAll = maySend && messages.every(({ can }) => can.deleteForEveryone);
  return (
    <Dialog
      finalFocus={() => articleOf(next.current)}
      initialFocus={cancel}
      onClose={() => open(null)}
      open
      title={t('message.deleteTitle', { count: messages.length })}
      width="sm:w-[25rem]"
    >
      <div className="flex flex-col gap-3 p-5">
        <DialogText className="flex flex-col gap-3 text-ink-soft">
          <p>{t('message.deleteText')}</p>
          {forAll && <p>{t('message.deleteEveryoneText')}</p>}
        </DialogText>
        <div className="mt-2 flex flex-col gap-2">
          <Button busy={remove.isPending} onClick={() => press(false)} tone="danger">
            {t('message.deleteForMe')}
          </Button>
          {forAll && (
            <Button busy={remove.isPending} onClick={() => press(true)} tone="danger">
              {t('message.deleteForEveryone')}
            </Button>
          )}
          <Button onClick={() => open(null)} ref={cancel}>
            {t('common.cancel')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** The message in the place of the deleted ones: the next remaining one, else the one before. */
function neighbour(all: readonly Message[], gone: readonly string[]): string {
  const last = all.findLastIndex(({ id }) => gone.includes(id));
  const stays = ({ id, event }: Message) => event === null && !gone.includes(id);
  return (all.slice(last + 1).find(stays) ?? all.slice(0, Math.max(0, last)).findLast(stays))?.id ?? '';
}
