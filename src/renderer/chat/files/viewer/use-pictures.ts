import { useEffect } from 'react';
import type { Message } from '../../../../bridge/shapes/message.ts';
import type { FileOf } from '../use-file.ts';
import { useListedFiles } from '../use-listed-files.ts';

const PAGE = 50;

export interface Pictures {
  /** Oldest first. */
  pictures: readonly FileOf[];
  /** Index of the current one; -1 if it was deleted. */
  place: number;
  loadOlder: () => void;
}

/** The pictures of a chat around one of them. */
export function usePictures({ message, index }: { message: Message; index: number }): Pictures {
  const { files, isLoaded, hasMore, isFetching, loadMore } = useListedFiles(
    message.conversationId,
    'media',
    PAGE,
  );
  const isListed = files.some((each) => each.message.id === message.id);
  useEffect(() => {
    if (isLoaded && !isListed && hasMore && !isFetching) loadMore();
  }, [isLoaded, isListed, hasMore, isFetching, loadMore]);
  const known = isListed ? files : message.files.map((file, at) => ({ message, file, index: at }));
  const pictures = known.filter(({ file }) => file.type === 'image').sort(inOrder);
  return {
    pictures,
    place: pictures.findIndex((each) => each.message.id === message.id && each.index === index),
    loadOlder: () => {
      if (hasMore && !isFetching) loadMore();
    },
  };
}

function inOrder(one: FileOf, other: FileOf): number {
  return one.message.id === other.message.id
    ? one.index - other.index
    : one.message.storedAt - other.message.storedAt;
}
