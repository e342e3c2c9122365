import { UserPlus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { personName } from '../../base/person-name.ts';
import { longest } from '../../bridge/longest.ts';
import type { GroupDetails } from '../../bridge/shapes/group.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Dialog, DialogText } from '../design/dialog.tsx';
import { TextField } from '../design/text-field.tsx';
import { showOnce } from '../design/toasts.tsx';
import { PersonButton } from '../people/person-button.tsx';
import { useKnownPeople } from '../people/use-known-people.ts';
import { useOwnerOfAddress, usePeopleSearch } from '../people/use-people-search.ts';
import { withoutCodePrefix } from '../people/verification/contact-code.ts';
import { isFoundByHandle } from '../shared/person.ts';
import { useOnceKnown } from '../shared/use-once-known.ts';
import { t } from '../words.tsx';

/** The limit of `groups.invite`. */
const MOST = 50;

/** Invites people: contacts, and others from the directory. */
export function AddPeople({ details }: { details: GroupDetails }) {
  const [isOpen, setIsOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button className="self-start" onClick={() => setIsOpen(true)} size="small">
        <UserPlus aria-hidden="true" className="size-4" />
        {t('groups.add')}
      </Button>
      <Dialog initialFocus={field} onClose={() => setIsOpen(false)} open={isOpen} title={t('groups.add')}>
        <Choice details={details} field={field} onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

interface ChoiceProps {
  details: GroupDetails;
  field: React.RefObject<HTMLInputElement | null>;
  onDone: () => void;
}

function Choice({ details, field, onDone }: ChoiceProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Person[]>([]);
  const invite = useCommand('groups.invite', {
    showsFailure: true,
    onSuccess: (_, { addresses }) => showOnce(t('groups.inviteSent', { count: addresses.length })),
  });
  const { people: found, isSure, isLoading, failed } = usePeopleToAdd(details, text);
  const people = found.filter((person) => !isAmong(chosen, person));
  const isFull = chosen.length >= MOST;
  const choose = (person: Person) => {
    chooseFirst.forget();
    if (isFull) return;
    setChosen([...chosen, person]);
    setText('');
    field.current?.focus();
  };
  const chooseFirst = useOnceKnown(people.length > 0 || !isLoading, () => {
    const first = people.find(isSure);
    if (first) choose(first);
  });
  return (
    <form
      className="flex flex-col gap-3 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        const addresses = chosen.map(({ address }) => address);
        // The form of a closed dialog is gone: its answer closes no later one.
        invite.mutate({ conversationId: details.conversationId, addresses }, { onSuccess: onDone });
      }}
    >
      <DialogText className="text-ink-soft">{t('groups.addText')}</DialogText>
      <TextField
        autoCapitalize="none"
        label={t('groups.addField')}
        maxLength={longest.person}
        note={invite.error?.message ?? (isFull ? t('groups.addMost') : undefined)}
        noteTone={invite.error ? 'problem' : 'hint'}
        onBlur={chooseFirst.forget}
        onChange={(event) => {
          invite.reset();
          chooseFirst.forget();
          setText(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing || text.trim() === '') return;
          // While a text is typed, Enter chooses the first suggestion instead of inviting.
          event.preventDefault();
          chooseFirst.request();
        }}
        ref={field}
        value={text}
      />
      {chosen.length > 0 && (
        <ul aria-label={t('groups.addChosen')} className="flex flex-wrap gap-2">
          {chosen.map((person) => (
            <li key={person.address}>
              <ChosenPerson
                onRemove={() => setChosen(chosen.filter((each) => each !== person))}
                person={person}
              />
            </li>
          ))}
        </ul>
      )}
      <ul aria-label={t('groups.addPeople')} className="min-h-40">
        {people.map((person) => (
          <li className="flex" key={person.address}>
            <PersonButton disabled={isFull} onChoose={() => choose(person)} person={person} />
          </li>
        ))}
        {failed && (
          <li className="p-2 text-ink-soft">
            <span role="alert">{failed.message}</span>{' '}
            {failed.retry && (
              <Button
                onClick={() => {
                  failed.retry?.();
                  // The button is gone while it is tried.
                  field.current?.focus();
                }}
                size="small"
              >
                {t('common.tryAgain')}
              </Button>
            )}
          </li>
        )}
        {people.length === 0 && !isLoading && !failed && (
          <li className="p-2 text-ink-soft">
            {text.trim() === '' ? t('groups.addHint') : t('groups.addNoMatch')}
          </li>
        )}
      </ul>
      <Button
        busy={invite.isPending}
        className="self-end"
        disabled={chosen.length === 0}
        tone="primary"
        type="submit"
      >
        {t('groups.addAction', { count: chosen.length })}
      </Button>
    </form>
  );
}

function ChosenPerson({ person, onRemove }: { person: Person; onRemove: () => void }) {
  return (
    <span className="flex items-center gap-1 rounded-full bg-sunken py-1 pe-1 ps-3 font-semibold text-secondary">
      <bdi className="max-w-40 truncate">{personName(person)}</bdi>
      <button
        aria-label={t('groups.addRemove', { name: personName(person) })}
        className="grid size-6 place-items-center rounded-full text-ink-soft hover:bg-raised hover:text-ink"
        onClick={onRemove}
        type="button"
      >
        <X aria-hidden="true" className="size-3.5" />
      </button>
    </span>
  );
}

/** Known people first, then those of the directory, without members and invited ones. */
function usePeopleToAdd(
  { members, invited }: GroupDetails,
  text: string,
): {
  people: Person[];
  /** True if Enter may choose a person without a preview: not one found by the server by display name. */
  isSure: (person: Person) => boolean;
  isLoading: boolean;
  /** The failure of the search at the server; `retry` is null if the answer would be the same. */
  failed: { message: string; retry: (() => void) | null } | null;
} {
  const wanted = withoutCodePrefix(text);
  const { people: known, isLoading: contactsLoad } = useKnownPeople(wanted);
  const search = usePeopleSearch(wanted);
  const ofAddress = useOwnerOfAddress(wanted);
  const { people: found } = search;
  const { owner } = ofAddress;
  const failed = [search, ofAddress].find(({ error }) => error !== null);
  const listed = [...members.map(({ person }) => person), ...(invited ?? [])];
  const people = [...(owner ? [owner] : []), ...known, ...found];
  return {
    people: people.filter(
      (person, index) =>
        !isAmong(listed, person) && people.findIndex(({ address }) => address === person.address) === index,
    ),
    isSure: (person) => person === owner || known.includes(person) || isFoundByHandle(person, wanted),
    isLoading: contactsLoad || search.isLoading || ofAddress.isLoading,
    failed: failed?.error ? { message: failed.error.message, retry: failed.retry } : null,
  };
}

function isAmong(people: readonly Person[], { address }: Person): boolean {
  return people.some((person) => person.address === address);
}
