import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { useBridgeEvent } from '../../../bridge.ts';
import type { FileOf } from '../use-file.ts';
import { keyOf, type Loaded, Player, type Track, unplayed } from './player.ts';

const Context = createContext<Player | null>(null);

/** Provides one player. It stops when the data is locked or the account is gone: then this component is, too. */
export function PlayerProvider({ children }: { children: ReactNode }) {
  const [player] = useState(() => new Player());
  useEffect(() => () => player.close(), [player]);
  const check = () => void player.check();
  useBridgeEvent('messages.changed', check);
  useBridgeEvent('conversations.changed', check);
  useBridgeEvent('bridge.resumed', check);
  return <Context value={player}>{children}</Context>;
}

export function usePlayer(): Player {
  const player = useContext(Context);
  if (!player) throw new Error('usePlayer needs a PlayerProvider above it.');
  return player;
}

export function useLoaded(): Loaded | null {
  const player = usePlayer();
  return useSyncExternalStore(player.subscribe, player.loaded);
}

export function useSpeed(): number {
  const player = usePlayer();
  return useSyncExternalStore(player.subscribe, player.speed);
}

/** The playback of a file whose row is rendered. */
export function useTrack(of: FileOf, row: RefObject<HTMLElement | null>): Track {
  const player = usePlayer();
  const key = keyOf(of);
  const track = useSyncExternalStore(player.subscribe, () => player.track(key));
  const isLoaded = useSyncExternalStore(player.subscribe, () => {
    const loaded = player.loaded();
    return loaded !== null && keyOf(loaded.of) === key;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the file
  useEffect(() => {
    if (!isLoaded || !row.current) return;
    const observer = new IntersectionObserver((seen) =>
      player.setInView(of, seen.at(-1)?.isIntersecting ?? false),
    );
    observer.observe(row.current);
    return () => {
      observer.disconnect();
      player.setInView(of, false);
    };
  }, [player, key, isLoaded, row]);
  return track ?? unplayed(of);
}
