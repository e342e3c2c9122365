import { ArrowLeft, PanelRight } from 'lucide-react';
import type { Person } from '../../bridge/shapes.ts';
import { useNavigation } from '../app/navigation.tsx';
import { modifierKey } from '../app/use-shortcuts.ts';
import { Avatar } from '../design/avatar.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { personName, personSubtitle } from '../shared/person.ts';

const frame = 'flex h-14 shrink-0 items-center gap-2.5 border-line border-b px-3 sm:px-4';

export function ConversationHeader({ peer }: { peer: Person }) {
  const { closeConversation, detailsOpen, toggleDetails } = useNavigation();
  return (
    <header className={frame}>
      <IconButton
        className="-ml-1.5 md:hidden"
        icon={ArrowLeft}
        label="Back to conversations"
        onClick={closeConversation}
      />
      <Avatar person={peer} size="small" />
      <div className="min-w-0 flex-1 leading-tight">
        <h2 className="truncate font-semibold text-[0.9375rem]">
          <bdi>{personName(peer)}</bdi>
        </h2>
        <p className="truncate text-ink-soft text-xs">{personSubtitle(peer)}</p>
      </div>
      <IconButton
        aria-pressed={detailsOpen}
        className="aria-pressed:bg-sunken aria-pressed:text-ink"
        icon={PanelRight}
        keys={`${modifierKey}I`}
        label="Details"
        onClick={toggleDetails}
      />
    </header>
  );
}

export function HeaderSkeleton() {
  return (
    <div className={frame}>
      <Skeleton className="size-8 rounded-full" />
      <Skeleton className="h-4 w-36" />
    </div>
  );
}
