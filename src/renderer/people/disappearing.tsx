import { Menu } from '@base-ui/react/menu';
import { Check, ChevronDown } from 'lucide-react';
import { useId } from 'react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { itemClass, menuClass } from '../design/menu.tsx';
import { usePopupReturn } from '../design/use-popup-return.ts';
import { useMayAct } from '../shared/use-shut-out.ts';
import { t } from '../words.tsx';
import { Section } from './details-section.tsx';
import { timerChoices, timerName } from './timer-choices.ts';

/** The lifetime of messages in a conversation; people with the right can change it. */
export function Disappearing({ conversation }: { conversation: Conversation }) {
  const { kind, state, timer } = conversation;
  const textId = useId();
  const mayAct = useMayAct();
  if (kind === 'group' ? !conversation.group.joined : state !== 'accepted') return null;
  const isAllowed = kind === 'direct' || conversation.group.isCreator || conversation.group.isAdmin;
  return (
    <Section title={t('chat.timer')}>
      <p className="text-ink-soft text-meta" id={textId}>
        {t('chat.timerText')}
      </p>
      {isAllowed && mayAct ? (
        <TimerMenu conversation={conversation} explainedBy={textId} />
      ) : (
        <p>
          {timerName(timer)}
          {!isAllowed && <span className="block text-ink-soft text-meta">{t('chat.timerAdmins')}</span>}
        </p>
      )}
    </Section>
  );
}

function TimerMenu({
  conversation: { id, timer },
  explainedBy,
}: {
  conversation: Conversation;
  explainedBy: string;
}) {
  const set = useCommand('conversations.setTimer');
  // A value set by another app is not among the choices, and stays until one is chosen.
  const choices = timerChoices.includes(timer) ? timerChoices : [...timerChoices, timer];
  const { open, setOpen, trigger, popup } = usePopupReturn();
  return (
    <div>
      <Menu.Root onOpenChange={setOpen} open={open}>
        <Menu.Trigger
          aria-describedby={explainedBy}
          aria-label={t('chat.timerSet', { time: timerName(timer) })}
          ref={trigger}
          render={<Button busy={set.isPending} />}
        >
          {timerName(timer)}
          <ChevronDown aria-hidden="true" className="size-4" />
        </Menu.Trigger>
        <Menu.Portal container={document.querySelector('main')}>
          <Menu.Positioner align="start" className="z-50" sideOffset={4}>
            <Menu.Popup className={menuClass} ref={popup}>
              <Menu.RadioGroup onValueChange={(seconds: number) => set.mutate({ id, seconds })} value={timer}>
                {choices.map((seconds) => (
                  <Menu.RadioItem className={itemClass} closeOnClick key={seconds} value={seconds}>
                    <span className="size-4 shrink-0">
                      <Menu.RadioItemIndicator>
                        <Check aria-hidden="true" className="size-4" strokeWidth={2.2} />
                      </Menu.RadioItemIndicator>
                    </span>
                    {timerName(seconds)}
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </div>
  );
}
