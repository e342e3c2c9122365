import type { ComponentProps } from 'react';
import type { Me } from '../../bridge/shapes/account.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { t } from '../words.tsx';
import { OwnInvites } from './own-invites.tsx';

/** The person's invite links, for people who are not here yet. */
export function InvitePeopleDialog({ me }: { me: Me }) {
  const { dialog, closeDialog } = useNavigation();
  return (
    <Dialog onClose={closeDialog} open={dialog === 'invite-people'} title={t('invites.people')}>
      <div className="p-5">
        <OwnInvites relayUrl={me.relayUrl} />
      </div>
    </Dialog>
  );
}

/** Opens the invite links. */
export function InvitePeopleButton(props: Pick<ComponentProps<typeof Button>, 'size' | 'tone'>) {
  const { openDialog } = useNavigation();
  return (
    <Button onClick={() => openDialog('invite-people')} {...props}>
      {t('invites.people')}
    </Button>
  );
}
