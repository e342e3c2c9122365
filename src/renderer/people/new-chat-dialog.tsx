import { type RefObject, useId, useRef, useState } from 'react';
import type { Person } from '../../bridge/shapes.ts';
import { useNavigation } from '../app/navigation.tsx';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/text-field.tsx';
import { shortAddress } from '../shared/address.ts';
import { personName } from '../shared/person.ts';
import { PersonButton } from './person-button.tsx';
import { useOpenPerson } from './use-open-person.ts';
import { useOwnerOfAddress, usePeopleSearch } from './use-people-search.ts';

/** Starts a conversation with somebody by their handle or address. */
export function NewChatDialog() {
  const { dialog, closeDialog } = useNavigation();
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog initialFocus={field} onClose={closeDialog} open={dialog === 'new-chat'} title="New chat">
      <NewChatForm field={field} />
    </Dialog>
  );
}

function NewChatForm({ field }: { field: RefObject<HTMLInputElement | null> }) {
  const [query, setQuery] = useState('');
  const { openPerson, isOpening, error, reset } = useOpenPerson({ tellsFailure: true });
  const wanted = query.trim();
  const found = usePeopleSearch(wanted);
  const owner = useOwnerOfAddress(wanted);
  const people = owner ? [owner] : found;
  return (
    <form
      className="flex flex-col p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted) openPerson(wanted);
      }}
    >
      <div className="flex items-start gap-2">
        <TextField
          autoCapitalize="none"
          className="min-w-0 flex-1"
          label="Handle or address"
          maxLength={128}
          note={error?.message ?? 'For example @maya, or an address that begins with 0x.'}
          noteTone={error ? 'problem' : 'hint'}
          onChange={(event) => {
            reset();
            setQuery(event.target.value);
          }}
          placeholder="@handle or 0x…"
          ref={field}
          value={query}
        />
        <Button
          busy={isOpening}
          className="mt-[1.625rem] h-[2.625rem]"
          disabled={wanted === ''}
          tone="primary"
          type="submit"
        >
          Write
        </Button>
      </div>
      <Suggestions onChoose={(person) => openPerson(person.address)} people={people} />
    </form>
  );
}

interface SuggestionsProps {
  people: Person[];
  onChoose: (person: Person) => void;
}

function Suggestions({ people, onChoose }: SuggestionsProps) {
  const headingId = useId();
  return (
    <div className="mt-2 min-h-48">
      {people.length > 0 && (
        <>
          <h3 className="px-2 pb-1 font-semibold text-ink-soft text-xs" id={headingId}>
            People at this relay
          </h3>
          <ul aria-labelledby={headingId}>
            {people.map((person) => (
              <li className="flex items-center gap-1" key={person.address}>
                <PersonButton onChoose={() => onChoose(person)} person={person} />
                <code className="font-mono text-ink-soft text-xs max-sm:hidden">
                  {shortAddress(person.address)}
                </code>
                <CopyButton label={`Copy address of ${personName(person)}`} text={person.address} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
