import type { Person } from '../../bridge/shapes.ts';
import { Avatar } from '../design/avatar.tsx';
import { personName, personSubtitle } from '../shared/person.ts';

/** What stands above the very first message. */
export function TimelineStart({ peer }: { peer: Person }) {
  return (
    <div className="flex flex-col items-center gap-1 px-4 pt-10 pb-6 text-center">
      <Avatar person={peer} size="large" />
      <bdi className="mt-3 break-words font-semibold text-lg [overflow-wrap:anywhere]">
        {personName(peer)}
      </bdi>
      <span className="text-ink-soft">{personSubtitle(peer)}</span>
      <p className="mt-3 max-w-sm text-balance text-ink-soft text-xs leading-relaxed">
        Only you and they can read what is written here. The relay carries sealed envelopes.
      </p>
    </div>
  );
}
