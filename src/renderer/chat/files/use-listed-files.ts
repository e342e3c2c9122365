import { useInfiniteQuery } from '@tanstack/react-query';
import type { Message } from '../../../bridge/shapes/message.ts';
import { callBridge } from '../../bridge.ts';
import type { FileOf } from './use-file.ts';

interface ListedFiles {
  /** Messages newest first, their files in order. */
  files: readonly FileOf[];
  isLoaded: boolean;
  hasMore: boolean;
  isFetching: boolean;
  loadMore: () => void;
}

/** The files of a chat by pages, kept current. */
export function useListedFiles(conversationId: string, type: 'media' | 'other', limit: number): ListedFiles {
  const input = { conversationId, type, limit };
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['files.list', input, 'pages'],
    queryFn: ({ pageParam }) =>
      callBridge('files.list', { ...input, ...(pageParam !== null && { before: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ messages, hasOlder }) => (hasOlder ? (messages.at(-1)?.id ?? null) : null),
  });
  const messages: readonly Message[] = data?.pages.flatMap((page) => page.messages) ?? [];
  return {
    files: messages.flatMap((message) =>
      message.files.flatMap((file, index) =>
        (file.type === 'image' || file.type === 'video') === (type === 'media')
          ? [{ message, file, index }]
          : [],
      ),
    ),
    isLoaded: data !== undefined,
    hasMore: hasNextPage,
    isFetching,
    loadMore: () => void fetchNextPage(),
  };
}
