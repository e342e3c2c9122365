import { Feather } from 'lucide-react';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { t } from '../words.tsx';
import { EchoButton } from './nothing-open.tsx';

interface NoConversationsProps {
  echoOffered: boolean;
  onNewChat: () => void;
}

export function NoConversations({ echoOffered, onNewChat }: NoConversationsProps) {
  return (
    <EmptyState
      action={
        // Wider windows offer these beside the list.
        <div className="flex flex-wrap justify-center gap-2 @min-[47.5rem]/window:hidden">
          {echoOffered && <EchoButton />}
          <Button onClick={onNewChat}>{t('chats.newChat')}</Button>
        </div>
      }
      picture={<Feather aria-hidden="true" className="size-8 text-ink-soft" strokeWidth={1.5} />}
      text={t('chats.emptyText')}
      title={t('chats.empty')}
    />
  );
}

interface NothingFoundProps {
  text: string;
  onWriteTo: () => void;
}

export function NothingFound({ text, onWriteTo }: NothingFoundProps) {
  return (
    <EmptyState
      action={
        <Button onClick={onWriteTo} size="small">
          {t('chats.findPeople')}
        </Button>
      }
      title={t('chats.noResults', { text })}
    />
  );
}

interface ListFailureProps {
  sentence: string;
  onRetry: () => void;
}

export function ListFailure({ sentence, onRetry }: ListFailureProps) {
  return (
    <EmptyState
      action={
        <Button onClick={onRetry} size="small">
          {t('common.tryAgain')}
        </Button>
      }
      text={sentence}
      title={t('chats.notLoaded')}
    />
  );
}
