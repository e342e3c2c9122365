import type { TimelineEvent } from '../../bridge/shapes/message.ts';
import { eventText } from '../../words/event-text.ts';
import { useBridgeQuery } from '../bridge.ts';
import { locale } from '../locale.ts';
import { fullTime } from '../shared/time.ts';
import { rich, words } from '../words.tsx';

/** An event as a line of the timeline, without an author. */
export function EventLine({ event, at, id }: { event: TimelineEvent; at: number; id: string }) {
  const { data: state } = useBridgeQuery('app.state', {});
  return (
    <p
      className="px-4 py-2 text-center text-ink-soft text-meta [overflow-wrap:anywhere]"
      id={`event-${id}`}
      title={fullTime(at)}
    >
      {eventText(words, event, state?.me?.address, locale, rich)}
    </p>
  );
}
