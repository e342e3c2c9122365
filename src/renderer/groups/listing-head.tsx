import type { GroupListing } from '../../bridge/shapes/group.ts';
import { GroupAvatar } from '../design/conversation-face.tsx';
import { t } from '../words.tsx';

/** Heading with a group of the directory. */
export function ListingHead({ listing }: { listing: GroupListing }) {
  return (
    <div className="flex items-center gap-3">
      <GroupAvatar group={listing} />
      <span className="min-w-0">
        <bdi className="block truncate font-semibold">{listing.name}</bdi>
        <span className="text-ink-soft text-meta">{t('chat.members', { count: listing.memberCount })}</span>
      </span>
    </div>
  );
}
