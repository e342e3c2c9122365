import { type RefObject, useId, useRef, useState } from 'react';
import { personName, personSubtitle, shortAddress } from '../../base/person-name.ts';
import { longest } from '../../bridge/longest.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { TextField } from '../design/text-field.tsx';
import { InviteDialog } from '../invites/invite-dialog.tsx';
import { InvitePeopleButton } from '../invites/invite-people-dialog.tsx';
import { looksLikeInvite } from '../invites/looks-like-invite.ts';
import { looksLikeAddress } from '../shared/address.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { useOnceKnown } from '../shared/use-once-known.ts';
import { t } from '../words.tsx';
import { NoteLine, useNoteToSelf } from './note-to-self.tsx';
import { PeopleList } from './people-list.tsx';
import { ChoiceButton, PersonButton } from './person-button.tsx';
import { useKnownPeople } from './use-known-people.ts';
import { useOpenPerson } from './use-open-person.ts';
import { useOwnerOfAddress, usePeopleDirectory } from './use-people-search.ts';
import { withoutCodePrefix } from './verification/contact-code.ts';

/** Starts a chat: with a person of the public directory, or by a handle or address. */
export function NewChatDialog() {
  const { dialog, closeDialog } = useNavigation();
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      initialFocus={field}
      onClose={closeDialog}
      open={dialog === 'new-chat'}
      title={t('people.newChat')}
    >
      <NewChatForm field={field} />
      <div className="border-line border-t px-5 py-3">
        <InvitePeopleButton size="small" />
      </div>
    </Dialog>
  );
}

function NewChatForm({ field }: { field: RefObject<HTMLInputElement | null> }) {
  const [query, setQuery] = useState('');
  const [verifiedOnly, setVerifiedOnly] = useState(false);
  const [invite, setInvite] = useState<string | null>(null);
  const { openPerson, openKnown, isOpening, error, reset } = useOpenPerson({ showsFailure: true });
  const isInvite = looksLikeInvite(query);
  // An invite link is longer than all that a person is found by.
  const wanted = isInvite ? '' : withoutCodePrefix(query.slice(0, longest.person));
  const { people: known, isLoading } = useKnownPeople(wanted);
  const me = useNoteToSelf(wanted);
  // A known person is found without the server.
  const submit = useOnceKnown(!isLoading, () => {
    // The own handle and address are not searched at the server, which has no chat for them.
    if (me && (known.length === 0 || isExactly(me, wanted))) return openKnown(me.address);
    const person =
      known.find((each) => isExactly(each, wanted)) ?? (isHandleOrAddress(wanted) ? null : known[0]);
    if (person) openKnown(person.address);
    else openPerson(wanted);
  });
  const choices = (
    <>
      {me && (
        <div className="mt-4 flex">
          <ChoiceButton onChoose={() => openKnown(me.address)}>
            <NoteLine person={me} />
          </ChoiceButton>
        </div>
      )}
      {known.length > 0 && (
        <div className="mt-4">
          <PeopleList key={wanted} level={3} onChoose={openKnown} people={known} title={t('people.known')} />
        </div>
      )}
      <label className="mt-4 flex items-center gap-2 text-secondary">
        <input
          checked={verifiedOnly}
          className="size-4 accent-accent"
          onChange={(event) => setVerifiedOnly(event.target.checked)}
          type="checkbox"
        />
        {t('people.confirmedOnly')}
      </label>
      <Directory
        isRefused={error !== null}
        known={known}
        onChoose={openPerson}
        // The button is gone while it is tried.
        onRetry={() => field.current?.focus()}
        query={wanted}
        verifiedOnly={verifiedOnly}
      />
    </>
  );
  return (
    <form
      className="flex flex-col p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isInvite) setInvite(query);
        else if (wanted) submit.request();
      }}
    >
      <TextField
        autoCapitalize="none"
        label={t('people.to')}
        maxLength={longest.invite}
        note={error?.message ?? t(isInvite ? 'invites.pasted' : 'people.toHint')}
        noteTone={error ? 'problem' : 'hint'}
        onChange={(event) => {
          reset();
          submit.forget();
          setQuery(event.target.value);
        }}
        placeholder={t('people.toPlaceholder')}
        ref={field}
        value={query}
        beside={
          <Button busy={isOpening} disabled={wanted === '' && !isInvite} tone="primary" type="submit">
            {t(isInvite ? 'invites.open' : 'people.start')}
          </Button>
        }
      />
      <InviteDialog onClose={() => setInvite(null)} text={invite} />
      {isInvite ? <div className="mt-4 min-h-52" /> : choices}
    </form>
  );
}

/** Reports whether a text names this person uniquely. */
function isExactly({ handle, address }: Pick<Person, 'handle' | 'address'>, text: string): boolean {
  const wanted = text.replace(/^@/, '').toLowerCase();
  return wanted === handle || wanted === address.toLowerCase();
}

/** A search for the server by handle or address. Other texts are names. */
function isHandleOrAddress(text: string): boolean {
  return /^@?[a-z][a-z0-9_]{2,31}$/i.test(text) || looksLikeAddress(text);
}

interface DirectoryProps {
  /** The field shows why the text opened no chat. */
  isRefused: boolean;
  /** Shown above. */
  known: Person[];
  query: string;
  verifiedOnly: boolean;
  onChoose: (address: string) => void;
  onRetry: () => void;
}

/** Matching people of the public directory; a complete address matches only its owner. */
function Directory({ isRefused, known, query, verifiedOnly, onChoose, onRetry }: DirectoryProps) {
  const headingId = useId();
  const ofAddress = useOwnerOfAddress(query);
  const directory = usePeopleDirectory(query, verifiedOnly);
  const { owner } = ofAddress;
  const { people: found, hasMore } = directory;
  const isLoading = directory.isLoading || ofAddress.isLoading;
  const error = directory.error ?? (isRefused ? null : ofAddress.error);
  const retry = directory.error ? directory.retry : ofAddress.retry;
  const isAbove = ({ address }: Person) => known.some((person) => person.address === address);
  const people = (owner ? [owner] : found).filter((person) => !isAbove(person));
  const isEmpty = !isLoading && !error && !hasMore && people.length === 0;
  // All matching people are shown above.
  if (isEmpty && known.length > 0) return null;
  // The dialog keeps its size.
  if (isEmpty && isRefused) return <div className="mt-4 min-h-52" />;
  return (
    <div className="mt-4 min-h-52">
      <h3 className="px-2 pb-1 font-semibold text-ink-soft text-meta" id={headingId}>
        {t('people.onServer')}
      </h3>
      <ul aria-labelledby={headingId}>
        {people.map((person) => (
          <li className="flex items-center gap-1" key={person.address}>
            <PersonButton onChoose={() => onChoose(person.address)} person={person} />
            {/* Not repeated if the second line has it already. */}
            {personSubtitle(person) !== shortAddress(person.address) && (
              <code className="font-mono text-ink-soft text-meta max-sm:hidden">
                {shortAddress(person.address)}
              </code>
            )}
            <CopyButton
              label={t('people.copyAddressOf', { name: personName(person) })}
              text={person.address}
            />
          </li>
        ))}
      </ul>
      {isLoading && <Skeleton className="mt-1 h-12" />}
      {error && (
        <p className="p-2 text-ink-soft">
          <span role="alert">{error.message}</span>{' '}
          {retry && (
            <Button
              onClick={() => {
                retry();
                onRetry();
              }}
              size="small"
            >
              {t('common.tryAgain')}
            </Button>
          )}
        </p>
      )}
      {isEmpty && (
        <p className="p-2 text-ink-soft">{query === '' ? t('people.nobodyListed') : t('people.noMatch')}</p>
      )}
      {hasMore && !owner && (
        <Button className="mt-1" onClick={directory.loadMore} size="small">
          {t('people.showMore')}
        </Button>
      )}
    </div>
  );
}
