import { UserPlus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { GroupDetails, Person } from '../../bridge/shapes.ts';
import { useAsk, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/text-field.tsx';
import { PersonButton } from '../people/person-button.tsx';
import { useOwnerOfAddress, usePeopleSearch } from '../people/use-people-search.ts';
import { counted } from '../shared/count.ts';
import { personName } from '../shared/person.ts';

/** Invites people: whom the person writes with, and whom the directory knows. */
export function AddPeople({ details }: { details: GroupDetails }) {
  const [isOpen, setIsOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button className="self-start" onClick={() => setIsOpen(true)} size="small">
        <UserPlus aria-hidden="true" className="size-4" />
        Add people
      </Button>
      <Dialog initialFocus={field} onClose={() => setIsOpen(false)} open={isOpen} title="Add people">
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
  const invite = useCommand('groups.invite', { tellsFailure: true, onSuccess: onDone });
  const people = usePeopleToAdd(details, text).filter((person) => !isAmong(chosen, person));
  const choose = (person: Person) => {
    setChosen([...chosen, person]);
    setText('');
    field.current?.focus();
  };
  return (
    <form
      className="flex flex-col gap-3 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        // Enter in the field takes the first suggestion, as long as something is typed.
        const [first] = people;
        if (text.trim() !== '') {
          if (first) choose(first);
          return;
        }
        const addresses = chosen.map(({ address }) => address);
        invite.mutate({ conversationId: details.conversationId, addresses });
      }}
    >
      <p className="text-ink-soft leading-relaxed">
        Each gets an invitation as a sealed message, and joins by it, without the password. Nobody is in the
        group before they say yes.
      </p>
      <TextField
        autoCapitalize="none"
        label="Name, handle or address"
        maxLength={128}
        note={invite.error?.message}
        noteTone={invite.error ? 'problem' : 'hint'}
        onChange={(event) => {
          invite.reset();
          setText(event.target.value);
        }}
        ref={field}
        value={text}
      />
      {chosen.length > 0 && (
        <ul aria-label="To be invited" className="flex flex-wrap gap-2">
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
      <ul aria-label="People" className="min-h-40">
        {people.map((person) => (
          <li className="flex" key={person.address}>
            <PersonButton onChoose={() => choose(person)} person={person} />
          </li>
        ))}
        {people.length === 0 && (
          <li className="p-2 text-ink-soft">
            {text.trim() === ''
              ? 'Find people by handle, or paste an address.'
              : 'Nobody of this name, or they are in the group or invited already.'}
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
        {chosen.length === 0 ? 'Invite' : `Invite ${counted(chosen.length, 'person', 'people')}`}
      </Button>
    </form>
  );
}

function ChosenPerson({ person, onRemove }: { person: Person; onRemove: () => void }) {
  return (
    <span className="flex items-center gap-1 rounded-full bg-sunken py-1 pr-1 pl-3 font-semibold text-[0.8125rem]">
      <bdi className="max-w-40 truncate">{personName(person)}</bdi>
      <button
        aria-label={`Do not invite ${personName(person)}`}
        className="grid size-6 place-items-center rounded-full text-ink-soft hover:bg-raised hover:text-ink"
        onClick={onRemove}
        type="button"
      >
        <X aria-hidden="true" className="size-3.5" />
      </button>
    </span>
  );
}

/** People whom the person writes with come first, then those of the directory. Nobody who is in or invited already. */
function usePeopleToAdd({ members, invited }: GroupDetails, text: string): Person[] {
  const wanted = text.trim();
  const { data: conversations } = useAsk('conversations.list', {});
  const found = usePeopleSearch(wanted);
  const owner = useOwnerOfAddress(wanted);
  const contacts = (conversations ?? []).flatMap((each) =>
    each.kind === 'direct' && each.state === 'accepted' ? [each.peer] : [],
  );
  const listed = [...members.map(({ person }) => person), ...(invited ?? [])];
  const people = [
    ...(owner ? [owner] : []),
    ...contacts.filter((person) => isCalled(person, wanted)),
    ...found,
  ];
  return people.filter(
    (person, index) =>
      !isAmong(listed, person) && people.findIndex(({ address }) => address === person.address) === index,
  );
}

function isCalled({ handle, displayName }: Person, text: string): boolean {
  const wanted = text.replace(/^@/, '').toLowerCase();
  return [handle, displayName].some((name) => name?.toLowerCase().includes(wanted));
}

function isAmong(people: readonly Person[], { address }: Person): boolean {
  return people.some((person) => person.address === address);
}
