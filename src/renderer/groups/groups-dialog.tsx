import { BadgeCheck, LockKeyhole, Plus } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { longest } from '../../bridge/longest.ts';
import type { GroupListing } from '../../bridge/shapes/group.ts';
import { useBridgeQuery } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { GroupAvatar } from '../design/conversation-face.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { TextField } from '../design/text-field.tsx';
import { InviteDialog } from '../invites/invite-dialog.tsx';
import { looksLikeInvite } from '../invites/looks-like-invite.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { useDebounced } from '../shared/use-debounced.ts';
import { t } from '../words.tsx';
import { InvitedOnly } from './invited-only.tsx';
import { JoinForm } from './join-form.tsx';
import { NewGroupForm } from './new-group-form.tsx';

type View = 'browse' | 'new' | GroupListing;

/** The public directory of groups, and a button for a new one. */
export function GroupsDialog() {
  const { dialog, closeDialog } = useNavigation();
  const field = useRef<HTMLInputElement>(null);
  const [chosen, setView] = useState<View | null>(null);
  const view = chosen ?? (dialog === 'new-group' ? 'new' : 'browse');
  const close = () => {
    setView(null);
    closeDialog();
  };
  const back = () => setView('browse');
  return (
    <Dialog
      initialFocus={field}
      onClose={close}
      open={dialog === 'groups' || dialog === 'new-group'}
      title={titleOf(view)}
    >
      {view === 'browse' && <Browse field={field} onJoin={setView} onNew={() => setView('new')} />}
      {view === 'new' && (
        <NewGroupForm
          onBack={back}
          onDone={() => setView(null)}
          {...(chosen === null && { nameField: field })}
        />
      )}
      {typeof view === 'object' &&
        (view.join === 'invite' ? (
          <InvitedOnly listing={view} onBack={back} onDone={close} />
        ) : (
          <JoinForm listing={view} onBack={back} onDone={() => setView(null)} />
        ))}
    </Dialog>
  );
}

function titleOf(view: View): string {
  if (view === 'browse') return t('groups.groups');
  if (view === 'new') return t('groups.new');
  return view.join === 'invite' ? t('groups.invitedOnly') : t('groups.join');
}

interface BrowseProps {
  field: RefObject<HTMLInputElement | null>;
  onJoin: (listing: GroupListing) => void;
  onNew: () => void;
}

function Browse({ field, onJoin, onNew }: BrowseProps) {
  const [text, setText] = useState('');
  const [invite, setInvite] = useState<string | null>(null);
  const isInvite = looksLikeInvite(text);
  const query = useDebounced(isInvite ? '' : text.trim().slice(0, longest.name), 200);
  return (
    <form
      className="flex flex-col gap-1 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isInvite) setInvite(text);
      }}
    >
      <TextField
        label={t('groups.find')}
        maxLength={longest.invite}
        note={t(isInvite ? 'invites.pasted' : 'groups.findHint')}
        onChange={(event) => setText(event.target.value)}
        ref={field}
        value={text}
        beside={
          isInvite ? (
            <Button tone="primary" type="submit">
              {t('invites.open')}
            </Button>
          ) : (
            <Button onClick={onNew} tone="primary">
              <Plus aria-hidden="true" className="size-4" strokeWidth={2.2} />
              {t('groups.new')}
            </Button>
          )
        }
      />
      <InviteDialog onClose={() => setInvite(null)} text={invite} />
      <div className="min-h-56">{!isInvite && <Listings onJoin={onJoin} query={query} />}</div>
    </form>
  );
}

/** The groups of the directory with a text in their name. */
function Listings({ query, onJoin }: { query: string; onJoin: (listing: GroupListing) => void }) {
  const { data, error, refetch, isPending } = useBridgeQuery('groups.browse', { query, cursor: null });
  return (
    <>
      {error && (
        <p className="p-2 text-ink-soft">
          <span role="alert">{error.message}</span>{' '}
          <Button onClick={() => void refetch()} size="small">
            {t('common.tryAgain')}
          </Button>
        </p>
      )}
      {isPending && <Skeleton className="mt-2 h-14" />}
      {data?.groups.length === 0 && (
        <p className="p-2 text-ink-soft [overflow-wrap:anywhere]">
          {query === '' ? t('groups.none') : t('groups.noResults', { text: query })}
        </p>
      )}
      {data && data.groups.length > 0 && (
        <ul aria-label={t('groups.list')}>
          {data.groups.map((listing) => (
            <li key={listing.groupId}>
              <ListingButton listing={listing} onJoin={() => onJoin(listing)} />
            </li>
          ))}
        </ul>
      )}
      {data && data.nextCursor !== null && <p className="p-2 text-ink-soft text-meta">{t('groups.more')}</p>}
    </>
  );
}

function ListingButton({ listing, onJoin }: { listing: GroupListing; onJoin: () => void }) {
  const { openConversation } = useNavigation();
  const { conversationId, join, memberCount, name, verified } = listing;
  return (
    <button
      className="flex w-full items-center gap-3 rounded-control p-2 text-start -outline-offset-2 hover:bg-sunken"
      onClick={() => (conversationId === null ? onJoin() : openConversation(conversationId))}
      type="button"
    >
      <GroupAvatar group={listing} size="small" />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-1">
          <bdi className="truncate font-semibold">{name}</bdi>
          {verified && (
            <BadgeCheck aria-label={t('groups.confirmed')} className="size-4 shrink-0 text-ink-soft" />
          )}
          {join === 'password' && (
            <LockKeyhole aria-label={t('groups.needsPassword')} className="size-3.5 shrink-0 text-ink-soft" />
          )}
        </span>
        <span className="block truncate text-ink-soft text-meta">
          {t('chat.members', { count: memberCount })}
          {join === 'invite' && ` · ${t('groups.listingInvite')}`}
        </span>
      </span>
      <span className="shrink-0 font-semibold text-accent-ink text-meta">{t(actionOf(listing))}</span>
    </button>
  );
}

function actionOf({ conversationId, join }: GroupListing) {
  if (conversationId !== null) return 'groups.listingOpen';
  return join === 'invite' ? 'groups.listingHow' : 'groups.listingJoin';
}
