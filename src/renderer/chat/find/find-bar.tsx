import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { longest } from '../../../bridge/longest.ts';
import { callBridge, queryKey } from '../../bridge.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { directionOf } from '../../design/text-direction.ts';
import { useNavigation } from '../../shared/navigation.tsx';
import { useDebounced } from '../../shared/use-debounced.ts';
import { t } from '../../words.tsx';
import { useActions } from '../actions/action-state.tsx';
import { beginningOf } from '../article-name.ts';
import { DateButton } from './date-button.tsx';
import { useMarkedWords } from './use-marked-words.ts';

/** Time without typing before a search, in milliseconds. */
const SETTLED = 150;

/** Under the header while the person searches in the chat: the newest result first, then older ones. */
export function FindBar() {
  const { isFinding } = useNavigation();
  return isFinding ? <Bar /> : null;
}

function Bar() {
  const { find } = useNavigation();
  const { composer, control, conversation } = useActions();
  const [text, setText] = useState('');
  /** The chosen result of a text; another text begins with its first. */
  const [chosen, setChosen] = useState({ text: '', at: 0, id: '' });
  const field = useRef<HTMLInputElement>(null);
  const settled = useDebounced(text.trim(), SETTLED);
  const input = { conversationId: conversation.id, text: settled };
  const { data, error } = useQuery({
    queryKey: queryKey('search.inConversation', input),
    queryFn: async () => ({ ...(await callBridge('search.inConversation', input)), text: settled }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: 0,
  });
  const ids = settled === '' ? [] : (data?.ids ?? []);
  const shown = chosen.text === data?.text ? placeIn(ids, chosen) : Math.min(0, ids.length - 1);
  const target = ids[shown];
  useMarkedWords(settled === '' ? [] : (data?.terms ?? []));
  const dataText = data?.text;
  const show = useEffectEvent((id: string) => {
    // A result that arrives later does not move the person away from this one.
    setChosen({ text: dataText ?? '', at: shown, id });
    control.jumpTo(id, { keepsFocus: true });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown again for another text
  useEffect(() => {
    if (target !== undefined) show(target);
  }, [target, dataText]);
  useEffect(() => field.current?.focus(), []);

  const move = (step: 1 | -1) => {
    if (!data || ids.length === 0) return;
    const next = (shown + step + ids.length) % ids.length;
    setChosen({ text: data.text, at: next, id: ids[next] ?? '' });
    // One result only: it may have been scrolled away.
    if (next === shown && target !== undefined) control.jumpTo(target, { keepsFocus: true });
  };
  const close = () => {
    find(false);
    composer.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') close();
    else if (event.target === field.current && event.key === 'Enter') move(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const status = () => {
    if (error) return error.message;
    if (settled === '' || !data) return '';
    if (ids.length === 0) return t(data.hasMore ? 'search.nothingNew' : 'search.nothing');
    return t(data.hasMore ? 'search.placeMore' : 'search.place', { place: shown + 1, count: ids.length });
  };
  const message = control.timeline?.messages.find(({ id }) => id === target);
  // A result that is not loaded yet is announced once, when it is there.
  const spoken = () => {
    if (target === undefined || error) return status();
    return message ? `${status()}, ${beginningOf(message)}` : '';
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a search element has no name in some screen readers
    <div
      aria-label={t('search.inChat')}
      className="flex shrink-0 flex-wrap items-center gap-1 border-line border-b bg-surface px-3 py-1.5 sm:px-4"
      onKeyDown={onKeyDown}
      role="search"
    >
      <Search aria-hidden="true" className="hidden size-4 shrink-0 text-ink-soft sm:block" />
      <input
        aria-label={t('search.inChat')}
        data-find=""
        className="h-9 min-w-20 flex-1 bg-transparent px-1.5 outline-none [&::-webkit-search-cancel-button]:hidden"
        dir={directionOf(text)}
        maxLength={longest.search}
        onChange={(event) => setText(event.target.value)}
        placeholder={t('search.inChat')}
        ref={field}
        spellCheck={false}
        type="search"
        value={text}
      />
      <span aria-hidden="true" className="text-ink-soft text-meta tabular-nums">
        {status()}
      </span>
      {/* With the attribute a dialog does not hide it, and it is not repeated when the dialog closes. */}
      <span aria-live="polite" className="sr-only" role="status">
        {spoken()}
      </span>
      <IconButton
        disabled={ids.length === 0}
        icon={ChevronUp}
        keys="Enter"
        label={t('search.older')}
        onClick={() => move(1)}
      />
      <IconButton
        disabled={ids.length === 0}
        icon={ChevronDown}
        label={t('search.newer')}
        onClick={() => move(-1)}
      />
      <DateButton />
      <IconButton icon={X} label={t('search.close')} onClick={close} />
      {data?.isComplete === false && <p className="w-full text-ink-soft text-meta">{t('search.indexing')}</p>}
    </div>
  );
}

/** Place of the chosen result after a change of the results; without it, the nearest one. -1 without results. */
function placeIn(ids: readonly string[], { id, at }: { id: string; at: number }): number {
  const place = ids.indexOf(id);
  return place === -1 ? Math.min(at, ids.length - 1) : place;
}
