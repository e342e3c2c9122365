import { personName } from '../../base/person-name.ts';
import type { GroupListing } from '../../bridge/shapes/group.ts';
import { Button } from '../design/button.tsx';
import { ButtonRow } from '../design/button-row.tsx';
import { useOpenPerson } from '../people/use-open-person.ts';
import { t } from '../words.tsx';
import { ListingHead } from './listing-head.tsx';

interface InvitedOnlyProps {
  listing: GroupListing;
  onBack: () => void;
  onDone: () => void;
}

/** Instructions for a group that only invited people can join: the person to ask, and using an invitation. */
export function InvitedOnly({ listing, onBack, onDone }: InvitedOnlyProps) {
  const { openPerson, isOpening, error } = useOpenPerson({ showsFailure: true, onOpened: onDone });
  const { owner } = listing;
  const name = owner && personName(owner);
  return (
    <div className="flex flex-col gap-4 p-5">
      <ListingHead listing={listing} />
      <p className="[overflow-wrap:anywhere]">
        {name === null ? t('groups.invitedOnlyAdmins') : t('groups.invitedOnlyText', { owner: name })}
      </p>
      <p className="text-ink-soft">{t('groups.invitedOnlyHave')}</p>
      <p aria-live="polite" className="text-danger-ink empty:hidden">
        {error?.message}
      </p>
      <ButtonRow>
        <Button onClick={onBack}>{t('common.back')}</Button>
        {owner && name !== null && (
          <Button
            autoFocus
            busy={isOpening}
            className="max-w-full"
            onClick={() => openPerson(owner.address)}
            tone="primary"
          >
            <span className="truncate">{t('groups.messageOwner', { owner: name })}</span>
          </Button>
        )}
      </ButtonRow>
    </div>
  );
}
