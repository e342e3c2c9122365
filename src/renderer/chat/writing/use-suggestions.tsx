import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { fitOf } from '../../../base/name-fit.ts';
import type { Conversation } from '../../../bridge/shapes/conversation.ts';
import type { Person } from '../../../bridge/shapes/person.ts';
import { callBridge, queryKey } from '../../bridge.ts';
import { completeEmoji, inTone } from '../../emoji/emoji.ts';
import { useEmoji } from '../../emoji/load-emoji.ts';
import { rememberedTone } from '../../emoji/remembered-emoji.ts';
import { PersonLine } from '../../people/person-button.tsx';
import { publicName } from '../../shared/person.ts';
import type { Trigger } from './trigger.ts';

const MOST = 8;

/** A suggestion. */
export interface Suggestion {
  key: string;
  /** The inserted text. */
  text: string;
  /** The mentioned person; null for an emoji. */
  person: Person | null;
  shown: ReactNode;
}

/** Suggestions for the typed start, eight at most. */
export function useSuggestions(conversation: Conversation, trigger: Trigger | null): Suggestion[] {
  const people = usePeople(conversation, trigger?.kind === 'mention' ? trigger.text : null);
  const emoji = useShortcodes(trigger?.kind === 'emoji' ? trigger.text : null);
  return trigger?.kind === 'mention' ? people : emoji;
}

/** @param typed null while no name is being typed */
function usePeople({ id }: Conversation, typed: string | null): Suggestion[] {
  const input = { id, text: typed ?? '' };
  const { data = [], isPlaceholderData } = useQuery({
    queryKey: queryKey('conversations.mentionable', input),
    queryFn: () => callBridge('conversations.mentionable', input),
    enabled: typed !== null,
    // Fetched each time: the most recent author is first. While the list is open, the order does not change.
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  if (typed === null) return [];
  // Until the answer arrives, the previous ones that still match.
  const people = isPlaceholderData ? data.filter((person) => isCalled(person, typed)) : data;
  return people.map((person) => ({
    key: person.address,
    text: `@${publicName(person)}`,
    person,
    shown: <PersonLine person={person} />,
  }));
}

function isCalled({ nickname, displayName, handle }: Person, typed: string): boolean {
  return [nickname, displayName, handle].some((name) => name !== null && fitOf(name, typed) !== null);
}

/** @param typed null while no shortcode is being typed */
function useShortcodes(typed: string | null): Suggestion[] {
  const { emoji } = useEmoji(typed !== null);
  if (typed === null || !emoji) return [];
  const tone = rememberedTone();
  return completeEmoji(emoji, typed, MOST).map(({ emoji: each, code }) => ({
    key: code,
    text: inTone(each, tone),
    person: null,
    shown: (
      <>
        <span aria-hidden="true" className="w-8 shrink-0 text-center text-dialog">
          {inTone(each, tone)}
        </span>
        <bdi className="min-w-0 truncate" dir="ltr">{`:${code}:`}</bdi>
      </>
    ),
  }));
}
