import { ArrowLeft, PanelRight, Search, ShieldCheck } from 'lucide-react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { classNames } from '../design/class-names.ts';
import { ConversationFace } from '../design/conversation-face.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { useSubtitle } from '../groups/use-subtitle.ts';
import { conversationName } from '../shared/conversation.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { keysText } from '../shared/shortcuts.ts';
import { duration } from '../shared/time.ts';
import { t } from '../words.tsx';
import { TimerMark } from './timer-mark.tsx';

const frame = 'flex min-h-14 shrink-0 items-center gap-2.5 border-line border-b px-3 py-1 sm:px-4';

export function ConversationHeader({ conversation }: { conversation: Conversation }) {
  const { closeConversation, detailsOpen, find, isFinding, toggleDetails } = useNavigation();
  const [name, subtitle] = [conversationName(conversation), useSubtitle(conversation)];
  return (
    <header className={classNames(frame, '@max-[15rem]/window:flex-wrap')}>
      <IconButton
        className="-ms-1.5 @min-[47.5rem]/window:hidden"
        icon={ArrowLeft}
        label={t('chat.back')}
        onClick={closeConversation}
      />
      <ConversationFace conversation={conversation} size="small" />
      {/* With very large text, in a row of its own. */}
      <div className="min-w-0 flex-1 @max-[15rem]/window:order-last @max-[15rem]/window:basis-full">
        <h2 className="flex items-center gap-1 font-semibold text-pane">
          {/* A shortened address is not cut again. */}
          <bdi className={name === subtitle ? '[overflow-wrap:anywhere]' : 'truncate'}>{name}</bdi>
          {conversation.kind === 'direct' && conversation.verifiedAt !== null && (
            <ShieldCheck
              aria-label={t('chat.verified')}
              className="size-4 shrink-0 text-success-ink"
              role="img"
            />
          )}
          {conversation.timer > 0 && (
            <TimerMark label={t('chat.timerHere', { time: duration(conversation.timer) })} />
          )}
        </h2>
        {subtitle !== name && (
          <p className="text-ink-soft text-meta [overflow-wrap:anywhere]">
            <bdi>{subtitle}</bdi>
          </p>
        )}
      </div>
      <IconButton
        aria-pressed={isFinding}
        className="@max-[15rem]/window:ms-auto aria-pressed:bg-sunken aria-pressed:text-ink"
        icon={Search}
        keys={keysText('find')}
        label={t('search.inChat')}
        onClick={() => find(!isFinding)}
      />
      <IconButton
        aria-pressed={detailsOpen}
        className="aria-pressed:bg-sunken aria-pressed:text-ink"
        icon={PanelRight}
        keys={keysText('details')}
        label={t('chat.details')}
        onClick={toggleDetails}
      />
    </header>
  );
}

export function HeaderSkeleton() {
  return (
    <div className={frame}>
      <Skeleton className="size-8 rounded-full" />
      <Skeleton className="h-4 w-36" />
    </div>
  );
}
