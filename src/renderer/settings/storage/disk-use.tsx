import { useRef, useState } from 'react';
import type { Output } from '../../../bridge/contract.ts';
import type { Conversation } from '../../../bridge/shapes/conversation.ts';
import { useBridgeQuery, useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { ConversationFace } from '../../design/conversation-face.tsx';
import { Confirmation } from '../../design/dialog.tsx';
import { FactList } from '../../design/fact-list.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { ConversationNameLine } from '../../people/conversation-name-line.tsx';
import { useDistinctName } from '../../shared/distinct-conversations.ts';
import { fileSize } from '../../shared/size.ts';
import { useMayAct } from '../../shared/use-shut-out.ts';
import { t } from '../../words.tsx';

type ChatUse = Output<'storage.get'>['chats'][number];

/** Chats shown first, and with each press of 'Show more'. */
const PAGE = 10;
/** Number of requested chats: at first, and after more are shown. */
const [FEW, MANY] = [100, 1_000];

/** The space that messages and files take on this computer, by chat. */
export function DiskUse() {
  const [shown, setShown] = useState(PAGE);
  const { data } = useBridgeQuery('storage.get', { limit: shown < FEW ? FEW : MANY });
  const { data: conversations } = useBridgeQuery('conversations.list', {});
  if (!data || !conversations) return <Skeleton className="h-32" />;
  return (
    <Loaded conversations={conversations} onMore={() => setShown(shown + PAGE)} shown={shown} use={data} />
  );
}

interface LoadedProps {
  use: Output<'storage.get'>;
  conversations: readonly Conversation[];
  shown: number;
  onMore: () => void;
}

/** Files to remove: of a chat, or with null of all. */
interface Question {
  conversationId: string | null;
  title: string;
  action: string;
  button: HTMLElement;
}

function Loaded({ use, conversations, shown, onMore }: LoadedProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isConfirmed = useRef(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const [isAsking, setAsking] = useState(false);
  const mayAct = useMayAct();
  const clear = useCommand('storage.clear');
  const ask = (next: Question) => {
    isConfirmed.current = false;
    setQuestion(next);
    setAsking(true);
  };
  const isBusy = (id: string | null) => clear.isPending && clear.variables.conversationId === id;
  const known = new Map(conversations.map((each) => [each.id, each]));
  const chats = use.chats.flatMap((each) => {
    const conversation = known.get(each.conversationId);
    return conversation ? [{ use: each, conversation }] : [];
  });
  return (
    <div className="flex flex-col gap-3">
      <h4 className="font-semibold outline-none" ref={heading} tabIndex={-1}>
        {t('settings.diskUse')}
      </h4>
      <FactList>
        <dt className="text-ink-soft">{t('settings.diskMessages')}</dt>
        <dd>{fileSize(use.messageBytes)}</dd>
        <dt className="text-ink-soft">{t('settings.diskFiles')}</dt>
        <dd>{fileSize(use.fileBytes)}</dd>
      </FactList>
      {chats.length === 0 ? (
        <p className="text-ink-soft">{t('settings.diskEmpty')}</p>
      ) : (
        <ul aria-label={t('settings.diskChats')} className="flex flex-col gap-3">
          {chats.slice(0, shown).map((each) => (
            <Chat
              conversation={each.conversation}
              isBusy={isBusy(each.conversation.id)}
              key={each.conversation.id}
              onAsk={ask}
              use={each.use}
            />
          ))}
        </ul>
      )}
      {(chats.length > shown || (use.hasMore && shown < MANY)) && (
        <Button className="self-start" onClick={onMore} size="small">
          {t('files.more')}
        </Button>
      )}
      {use.fileBytes > 0 && (
        <Button
          busy={isBusy(null)}
          className="self-start"
          onClick={({ currentTarget: button }) => {
            const title = t('settings.clearAllTitle', { size: fileSize(use.fileBytes) });
            ask({ conversationId: null, title, action: t('settings.clearAll'), button });
          }}
          size="small"
        >
          {t('settings.clearAll')}
        </Button>
      )}
      <Confirmation
        action={question?.action ?? ''}
        explanation={t(mayAct ? 'settings.clearText' : 'settings.clearForGood')}
        // A cleared chat is gone soon, with its button.
        finalFocus={() => (isConfirmed.current ? heading.current : question?.button) ?? true}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          isConfirmed.current = true;
          if (question) clear.mutate({ conversationId: question.conversationId });
        }}
        open={isAsking}
        title={question?.title ?? ''}
      />
    </div>
  );
}

interface ChatProps {
  use: ChatUse;
  conversation: Conversation;
  isBusy: boolean;
  onAsk: (question: Question) => void;
}

function Chat({ use, conversation, isBusy, onAsk }: ChatProps) {
  const name = useDistinctName(conversation);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <ConversationFace conversation={conversation} size="small" />
      <div className="min-w-0 flex-1 basis-40">
        <p className="flex justify-between gap-3">
          <ConversationNameLine className="min-w-0 font-semibold" conversation={conversation} />
          <span className="shrink-0 tabular-nums">{fileSize(use.bytes)}</span>
        </p>
        <p className="text-ink-soft text-meta">{partsOf(use)}</p>
      </div>
      <Button
        aria-label={t('settings.clearOf', { name })}
        busy={isBusy}
        onClick={({ currentTarget: button }) => {
          const title = t('settings.clearTitle', { name, size: fileSize(use.bytes) });
          onAsk({ conversationId: conversation.id, title, action: t('settings.clear'), button });
        }}
        size="small"
      >
        {t('settings.clear')}
      </Button>
    </li>
  );
}

/** As in `3 photos, 4 MB · 1 video, 20 MB`. */
function partsOf({ image, video, audio, other }: ChatUse): string {
  const part = (
    name: 'settings.diskImages' | 'settings.diskVideos' | 'settings.diskSounds' | 'settings.diskOthers',
    { files, bytes }: { files: number; bytes: number },
  ) => (files === 0 ? [] : [t(name, { count: files, size: fileSize(bytes) })]);
  return [
    ...part('settings.diskImages', image),
    ...part('settings.diskVideos', video),
    ...part('settings.diskSounds', audio),
    ...part('settings.diskOthers', other),
  ].join(' · ');
}
