import type { TimelineEvent } from '../../bridge/shapes/message.ts';
import { useAsk } from '../bridge.ts';
import { eventText } from '../shared/event-text.ts';
import { fullTime } from '../shared/time.ts';
import { rich } from '../words.tsx';

/** An event as a line of the timeline, without an author. */
export function EventLine({ event, at, id }: { event: TimelineEvent; at: number; id: string }) {
  const { data: state } = useAsk('app.state', {});
  return (
    <p
      className="px-4 py-2 text-center text-ink-soft text-meta [overflow-wrap:anywhere]"
      id={`event-${id}`}
      title={fullTime(at)}
    >
      {eventText(event, state?.me?.address, rich)}
    </p>
  );
}
