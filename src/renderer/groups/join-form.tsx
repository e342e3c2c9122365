import { useState } from 'react';
import { longest } from '../../bridge/longest.ts';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import type { GroupListing } from '../../bridge/shapes/group.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { ButtonRow } from '../design/button-row.tsx';
import { TextField } from '../design/text-field.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { t } from '../words.tsx';
import { ListingHead } from './listing-head.tsx';

interface JoinFormProps {
  listing: GroupListing;
  onBack: () => void;
  onDone: () => void;
}

/** Joins a group, with its password if it has one. */
export function JoinForm({ listing, onBack, onDone }: JoinFormProps) {
  const { openConversation } = useNavigation();
  const [password, setPassword] = useState('');
  const join = useCommand('groups.join', { showsFailure: true });
  // Not after this form was closed: the person may be elsewhere.
  const open = ({ id }: Conversation) => {
    onDone();
    openConversation(id);
  };
  const { groupId } = listing;
  const hasPassword = listing.join === 'password';
  return (
    <form
      className="flex flex-col gap-4 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        join.mutate({ groupId, password: hasPassword ? password : null }, { onSuccess: open });
      }}
    >
      <ListingHead listing={listing} />
      <p className="text-ink-soft">{t('groups.joinText')}</p>
      {hasPassword ? (
        <TextField
          autoFocus
          label={t('groups.joinPassword')}
          maxLength={longest.groupPassword}
          note={join.error?.message}
          noteTone={join.error ? 'problem' : 'hint'}
          onChange={(event) => {
            join.reset();
            setPassword(event.target.value);
          }}
          type="password"
          value={password}
        />
      ) : (
        join.error && (
          <p className="text-danger-ink" role="alert">
            {join.error.message}
          </p>
        )
      )}
      <ButtonRow>
        <Button onClick={onBack}>{t('common.back')}</Button>
        <Button busy={join.isPending} disabled={hasPassword && password === ''} tone="primary" type="submit">
          {t('groups.join')}
        </Button>
      </ButtonRow>
    </form>
  );
}
