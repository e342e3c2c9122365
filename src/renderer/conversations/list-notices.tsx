import { Feather } from 'lucide-react';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
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
        <div className="flex flex-wrap justify-center gap-2 md:hidden">
          {echoOffered && <EchoButton />}
          <Button onClick={onNewChat}>New chat</Button>
        </div>
      }
      picture={<Feather aria-hidden="true" className="size-8 text-ink-soft" strokeWidth={1.5} />}
      text="Write to somebody by their handle or address."
      title="No conversations yet"
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
          Find people at the relay
        </Button>
      }
      text={`None of your conversations has “${text}” in its name or last message.`}
      title="Nothing found"
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
          Try again
        </Button>
      }
      text={sentence}
      title="The conversations could not be loaded"
    />
  );
}
