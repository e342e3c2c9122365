import {
  Apple,
  Clock,
  Flag,
  Heart,
  Lightbulb,
  type LucideIcon,
  PawPrint,
  Plane,
  Smile,
  Trophy,
  UserRound,
} from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { classNames } from '../design/class-names.ts';
import { SearchField } from '../design/search-field.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { useToolbar } from '../design/use-toolbar.ts';
import { t } from '../words.tsx';
import {
  type Emoji,
  type EmojiCategory,
  emojiCategories,
  findEmoji,
  inTone,
  type SkinTone,
} from './emoji.ts';
import { EmojiGrid, type ShownEmoji } from './emoji-grid.tsx';
import { useEmoji } from './load-emoji.ts';
import { QUICK_COUNT, recentEmoji, rememberEmoji, rememberedTone, rememberTone } from './remembered-emoji.ts';
import { SkinTones } from './skin-tones.tsx';

type Shown = 'recent' | EmojiCategory;

const CATEGORIES: Readonly<Record<Shown, { icon: LucideIcon; name: string }>> = {
  recent: { icon: Clock, name: t('emoji.recent') },
  smileys: { icon: Smile, name: t('emoji.smileys') },
  people: { icon: UserRound, name: t('emoji.people') },
  nature: { icon: PawPrint, name: t('emoji.nature') },
  food: { icon: Apple, name: t('emoji.food') },
  travel: { icon: Plane, name: t('emoji.travel') },
  activities: { icon: Trophy, name: t('emoji.activities') },
  objects: { icon: Lightbulb, name: t('emoji.objects') },
  symbols: { icon: Heart, name: t('emoji.symbols') },
  flags: { icon: Flag, name: t('emoji.flags') },
};
const shownInOrder: readonly Shown[] = ['recent', ...emojiCategories];

/** Chooses an emoji by search or category; the chosen one is first the next time. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const { emoji, isError, retry } = useEmoji();
  const [text, setText] = useState('');
  const [category, setCategory] = useState<Shown>(() =>
    recentEmoji().length > QUICK_COUNT ? 'recent' : 'smileys',
  );
  const [tone, setTone] = useState(rememberedTone);
  const search = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const isSearching = text.trim() !== '';
  const shown = useMemo(
    () => (emoji ? shownOf(emoji, isSearching ? findEmoji(emoji, text) : category, tone) : []),
    [emoji, isSearching, text, category, tone],
  );
  const pick = (picked: string) => {
    rememberEmoji(picked);
    onPick(picked);
  };
  return (
    <section aria-label={t('emoji.title')} className="flex w-[20rem] max-w-full flex-col gap-2">
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1" ref={search}>
          <SearchField
            label={t('emoji.search')}
            onChange={setText}
            onEnterList={() => grid.current?.querySelector('button')?.focus()}
            onOpenFirst={() => shown[0] && pick(shown[0].text)}
            placeholder={t('emoji.search')}
            value={text}
          />
        </div>
        <SkinTones
          onChange={(next) => {
            rememberTone(next);
            setTone(next);
          }}
          tone={tone}
        />
      </div>
      <Categories
        current={isSearching ? null : category}
        onOpen={(name) => {
          setText('');
          setCategory(name);
        }}
        start={category}
      />
      <p className="sr-only" role="status">
        {isSearching && emoji && t('emoji.found', { count: shown.length })}
      </p>
      <div className="h-56 overflow-y-auto overscroll-contain">
        {isError && (
          <div className="grid justify-items-center gap-2 py-4 text-ink-soft">
            <p role="alert">{t('emoji.notLoaded')}</p>
            <Button onClick={retry} size="small">
              {t('common.tryAgain')}
            </Button>
          </div>
        )}
        {!emoji && !isError && <Skeleton className="h-40 w-full" />}
        {emoji && (
          <EmojiGrid
            emoji={shown}
            grid={grid}
            key={isSearching ? `search ${text}` : category}
            label={isSearching ? t('emoji.results') : CATEGORIES[category].name}
            onLeave={() => search.current?.querySelector('input')?.focus()}
            onPick={pick}
          />
        )}
      </div>
    </section>
  );
}

interface CategoriesProps {
  /** Null during a search. */
  current: Shown | null;
  /** The one with the first focus. */
  start: Shown;
  onOpen: (name: Shown) => void;
}

function Categories({ current, start, onOpen }: CategoriesProps) {
  const toolbar = useToolbar(shownInOrder.length, shownInOrder.indexOf(start));
  return (
    <div
      aria-label={t('emoji.categories')}
      className="flex justify-between"
      onKeyDown={toolbar.onKeyDown}
      role="toolbar"
    >
      {shownInOrder.map((name, place) => {
        const { icon: Icon, name: title } = CATEGORIES[name];
        const isCurrent = name === current;
        return (
          <button
            aria-label={title}
            aria-pressed={isCurrent}
            className={classNames(
              'grid size-[1.875rem] place-items-center rounded-control text-ink-soft -outline-offset-2 hover:bg-sunken',
              isCurrent && 'bg-selection text-ink forced-colors:outline-2 forced-colors:outline-[Highlight]',
            )}
            key={name}
            onClick={() => onOpen(name)}
            title={title}
            type="button"
            {...toolbar.item(place)}
          >
            <Icon aria-hidden="true" className="size-4" strokeWidth={1.75} />
          </button>
        );
      })}
    </div>
  );
}

function shownOf(all: readonly Emoji[], what: Shown | readonly Emoji[], tone: SkinTone): ShownEmoji[] {
  if (what === 'recent') {
    return recentEmoji().map((text) => ({
      text,
      name: all.find((each) => each.text === text || each.toned.includes(text))?.name ?? text,
    }));
  }
  const found = typeof what === 'string' ? all.filter(({ category }) => category === what) : what;
  return found.map((each) => ({ text: inTone(each, tone), name: each.name }));
}
