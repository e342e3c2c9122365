import { Pause, Play, X } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { useBridgeQuery } from '../../../bridge.ts';
import { IconButton } from '../../../design/icon-button.tsx';
import { authorName } from '../../../people/author-name.ts';
import { conversationName } from '../../../shared/conversation.ts';
import { useNavigation } from '../../../shared/navigation.tsx';
import { playTime } from '../../../shared/time.ts';
import { t } from '../../../words.tsx';
import { playLabel, SpeedButton } from './play-controls.tsx';
import type { Loaded } from './player.ts';
import { useLoaded, usePlayer } from './use-player.tsx';

/** The voice message or sound that plays, while its row is not in view. */
export function PlayerBar({ fallback }: { fallback?: RefObject<HTMLElement | null> }) {
  const loaded = useLoaded();
  const { conversationId } = useNavigation();
  if (!loaded || (loaded.isInView && loaded.of.message.conversationId === conversationId)) return null;
  return <Bar loaded={loaded} {...(fallback && { fallback })} />;
}

function Bar({ loaded, fallback }: { loaded: Loaded; fallback?: RefObject<HTMLElement | null> }) {
  const { of, track } = loaded;
  const { isPlaying, at, length } = track;
  const { message, file } = of;
  const player = usePlayer();
  const { openMessage } = useNavigation();
  const { data: conversation } = useBridgeQuery('conversations.get', { id: message.conversationId });
  const bar = useRef<HTMLElement>(null);
  useFocusAfter(bar, fallback);
  const title = titleOf(loaded);
  const chat = conversation && conversationName(conversation);
  return (
    <section
      aria-label={t('files.player')}
      className="relative flex shrink-0 items-center gap-1 border-line border-b bg-surface px-1.5 py-0.5 sm:px-2.5"
      ref={bar}
    >
      <IconButton
        icon={isPlaying ? Pause : Play}
        label={playLabel(of, isPlaying)}
        onClick={() => player.toggle(of)}
      />
      <button
        aria-label={t('files.showOf', { name: title })}
        className="min-w-0 flex-1 rounded-control px-2 py-1 text-start -outline-offset-2 hover:bg-sunken"
        onClick={() => openMessage(message.conversationId, message.id)}
        type="button"
      >
        <bdi className="block truncate font-semibold text-secondary">{title}</bdi>
        <span className="block truncate text-ink-soft text-meta">
          <bdi>{chat === title && file.type === 'voice' ? t('chats.voiceMessage') : chat}</bdi>
        </span>
      </button>
      <span className="shrink-0 text-ink-soft text-meta tabular-nums">
        {t('files.progress', { done: playTime(at), total: playTime(length) })}
      </span>
      <SpeedButton />
      <IconButton icon={X} label={t('files.closePlayer')} onClick={() => player.close()} />
      <span aria-hidden="true" className="absolute inset-x-0 -bottom-px h-0.5">
        <span
          className="block h-full bg-accent-ink"
          style={{ width: `${length > 0 ? Math.min(100, (at / length) * 100) : 0}%` }}
        />
      </span>
    </section>
  );
}

/** The file of a sound, the author of a voice message. */
function titleOf({ of: { message, file } }: Loaded): string {
  if (file.type !== 'voice') return file.name;
  const { author, bot, trust, state } = message;
  if (state !== 'received') return t('message.own');
  return authorName(author, bot?.name ?? (trust === 'token' ? '' : null));
}

/** Focuses the chat when the bar is removed with the focus in it; the body of the page would have the focus. */
function useFocusAfter(bar: RefObject<HTMLElement | null>, fallback?: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const container = bar.current;
    let hadFocus = false;
    const note = ({ target }: FocusEvent) => {
      hadFocus = target instanceof Node && (container?.contains(target) ?? false);
    };
    document.addEventListener('focusin', note);
    return () => {
      document.removeEventListener('focusin', note);
      if (hadFocus && document.activeElement === document.body) fallback?.current?.focus();
    };
  }, [bar, fallback]);
}
