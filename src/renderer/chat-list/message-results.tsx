import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import type { SearchHit } from '../../bridge/shapes/message.ts';
import { callBridge, queryKey } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { ConversationFace } from '../design/conversation-face.tsx';
import { MarkedText } from '../design/marked-text.tsx';
import { AuthorLine } from '../people/author-line.tsx';
import { authorName } from '../people/author-name.ts';
import { ConversationNameLine } from '../people/conversation-name-line.tsx';
import { announce } from '../shared/announcements.tsx';
import { conversationName } from '../shared/conversation.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { listTime } from '../shared/time.ts';
import { useNow } from '../shared/use-now.ts';
import { t } from '../words.tsx';

const PAGE = 30;

interface MessageResultsProps {
  /** As typed, not blank. */
  text: string;
  conversations: readonly Conversation[];
  onFirst: (first: FirstResult) => void;
}

/** The newest message found, or none, and the text that was searched. */
export interface FirstResult {
  text: string;
  hit: SearchHit | null;
}

/** The messages that a search finds, the last to arrive first. */
export function MessageResults({ text, conversations, onFirst }: MessageResultsProps) {
  // Each key is searched at once. During a search the newest text waits for its first answer.
  const [searched, setSearched] = useState(text);
  const {
    data,
    error,
    refetch,
    fetchNextPage,
    hasNextPage,
    isFetching,
    isFetchingNextPage,
    isPending,
    isPlaceholderData,
  } = useInfiniteQuery({
    queryKey: [...queryKey('search.messages'), searched],
    queryFn: async ({ pageParam }) => {
      const before = pageParam === null ? {} : { before: pageParam };
      const page = await callBridge('search.messages', { text: searched, limit: PAGE, ...before });
      return { ...page, text: searched };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: 0,
  });
  // Not the end of all calls: while messages arrive, changes repeat the search again and again.
  if (searched !== text && !isPending && !isPlaceholderData) setSearched(text);
  const pages = data?.pages ?? [];
  /** The text of these results: while another one is searched, they stay. */
  const found = pages[0]?.text ?? searched;
  const byId = new Map(conversations.map((each) => [each.id, each]));
  const hits = pages.flatMap((page) => page.hits).filter(({ conversationId }) => byId.has(conversationId));
  // A long search without a result continues automatically.
  const hasMore = hits.length === 0 && hasNextPage && !isFetching && !error && searched === text;
  useEffect(() => {
    if (hasMore) void fetchNextPage();
  }, [hasMore, fetchNextPage]);
  const isSearching = hits.length === 0 && hasNextPage;
  const hit = hits[0] ?? null;
  const isFirstKnown = data !== undefined && !isPlaceholderData && !isSearching;
  const reportFirst = useEffectEvent(() => onFirst({ text: searched, hit }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first hit is reported again when the text or the hit changes
  useEffect(() => {
    if (isFirstKnown) reportFirst();
  }, [isFirstKnown, searched, hit?.id]);
  const count = t(hasNextPage ? 'search.foundMore' : 'search.found', { count: hits.length });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same number for another text is announced, too
  useEffect(() => {
    if (isFirstKnown && !error) announce(count);
  }, [isFirstKnown, error, searched, count]);
  if (error) {
    return (
      <div className="px-4 py-3 text-secondary" role="alert">
        <p>{t('search.failed')}</p>
        <p className="mb-2 text-ink-soft">{error.message}</p>
        <Button onClick={() => void refetch()} size="small">
          {t('common.tryAgain')}
        </Button>
      </div>
    );
  }
  if (!data) return null;
  return (
    <>
      {hits.length > 0 && <HitList byId={byId} hits={hits} text={found} />}
      {hits.length === 0 && !isSearching && (
        <p className="px-4 py-2 text-ink-soft text-secondary [overflow-wrap:anywhere]">
          {t('search.none', { text: found })}
        </p>
      )}
      {hits.length > 0 && hasNextPage && (
        <div className="flex justify-center p-2">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()} size="small" tone="quiet">
            {t('search.more')}
          </Button>
        </div>
      )}
      {pages.some(({ isComplete }) => !isComplete) && (
        <p className="px-4 py-2 text-ink-soft text-meta">{t('search.indexing')}</p>
      )}
      <p className="px-4 pt-2 pb-4 text-ink-soft text-meta">{t('search.filters')}</p>
    </>
  );
}

interface HitListProps {
  hits: readonly SearchHit[];
  byId: ReadonlyMap<string, Conversation>;
  text: string;
}

/** One result is in the Tab order; the arrow keys move among them. */
function HitList({ hits, byId, text }: HitListProps) {
  const { openMessage } = useNavigation();
  const now = useNow(60_000);
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const tabStop = hits.some(({ id }) => id === focused) ? focused : hits[0]?.id;
  const onKeyDown = (event: KeyboardEvent) => {
    const at = hits.findIndex(({ id }) => id === tabStop);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: hits.length - 1 }[event.key];
    if (next === undefined || !hits[next]) return;
    event.preventDefault();
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <ul
      aria-label={t('search.results', { text })}
      className="flex flex-col px-2"
      onKeyDown={onKeyDown}
      ref={list}
    >
      {hits.map((hit) => {
        const conversation = byId.get(hit.conversationId);
        if (!conversation) return null;
        return (
          <li key={hit.id}>
            <button
              className="flex w-full items-start gap-3 rounded-menu p-2.5 text-start -outline-offset-2 hover:bg-sunken"
              data-hit={hit.id}
              onClick={() => openMessage(hit.conversationId, hit.id)}
              onFocus={() => setFocused(hit.id)}
              tabIndex={hit.id === tabStop ? 0 : -1}
              type="button"
            >
              <ConversationFace conversation={conversation} size="small" />
              <Hit conversation={conversation} hit={hit} now={now} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Hit({ hit, conversation, now }: { hit: SearchHit; conversation: Conversation; now: number }) {
  const name = conversationName(conversation);
  const author = authorName(hit.author, hit.bot);
  return (
    <span className="min-w-0 flex-1">
      <span className="flex items-baseline gap-2">
        <ConversationNameLine
          className="min-w-0 flex-1 font-semibold text-secondary"
          conversation={conversation}
        />
        <time className="shrink-0 text-ink-soft text-meta" dateTime={new Date(hit.at).toISOString()}>
          <bdi>{listTime(hit.at, now)}</bdi>
        </time>
      </span>
      {author !== name && (
        <AuthorLine author={hit.author} bot={hit.bot} className="text-ink-soft text-meta" />
      )}
      <span className="line-clamp-2 text-ink-soft text-secondary [overflow-wrap:anywhere]" dir="auto">
        <MarkedText marks={hit.marks} text={hit.snippet} />
      </span>
    </span>
  );
}
