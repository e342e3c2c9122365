/**
 * The dataset of emoji, loaded when it is first needed: it is larger than the rest of the interface.
 */
import { useQuery } from '@tanstack/react-query';
import { type Emoji, emojiFrom } from './emoji.ts';

let loaded: Promise<Emoji[]> | null = null;

/** Fails if the page cannot load its own file. The next call tries again. */
export function loadEmoji(): Promise<Emoji[]> {
  loaded ??= load().catch((error) => {
    loaded = null;
    throw error;
  });
  return loaded;
}

async function load(): Promise<Emoji[]> {
  const [data, shortcodes] = await Promise.all([
    import('emojibase-data/en/compact.json'),
    import('emojibase-data/en/shortcodes/github.json'),
  ]);
  return emojiFrom(data.default, shortcodes.default);
}

/**
 * All emoji; undefined during loading.
 * @param isNeeded false if they need not be loaded yet
 */
export function useEmoji(isNeeded = true): {
  emoji: Emoji[] | undefined;
  isError: boolean;
  retry: () => void;
} {
  const { data, isError, refetch } = useQuery({
    queryKey: ['emoji'],
    queryFn: loadEmoji,
    enabled: isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    networkMode: 'always',
  });
  return { emoji: data, isError, retry: () => void refetch() };
}
