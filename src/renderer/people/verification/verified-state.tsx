import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import type { DirectConversation } from '../../../bridge/shapes/conversation.ts';
import type { NamedDevice } from '../../../bridge/shapes/device.ts';
import { useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { plainDate } from '../../shared/time.ts';
import { rich, t } from '../../words.tsx';
import { VerifyDialog } from './verify-dialog.tsx';

/** Shows whether the person has compared the address, with a button for it. */
export function VerifiedState({ conversation }: { conversation: DirectConversation }) {
  const { peer, setBy, verifiedAt } = conversation;
  const [isOpen, setIsOpen] = useState(false);
  const setVerified = useCommand('people.setVerified');
  const isVerified = verifiedAt !== null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isVerified && (
        <>
          <ShieldCheck aria-hidden="true" className="size-5 text-success-ink" />
          <span className="flex-1">{verifiedLine(verifiedAt, setBy)}</span>
        </>
      )}
      {/* One button for both states, so that it keeps the focus. */}
      <Button
        busy={setVerified.isPending}
        onClick={() => {
          if (isVerified) setVerified.mutate({ address: peer.address, verified: false });
          else setIsOpen(true);
        }}
        size="small"
        tone={isVerified ? 'quiet' : 'plain'}
      >
        {isVerified ? t('people.verifyUndo') : t('people.verify')}
      </Button>
      <VerifyDialog onClose={() => setIsOpen(false)} open={isOpen} peer={peer} />
    </div>
  );
}

function verifiedLine(verifiedAt: number, setBy: NamedDevice | null) {
  const date = plainDate(verifiedAt);
  if (setBy === null) return t('people.verifiedOn', { date });
  const id = setBy.id.slice(0, 8);
  if (setBy.name === null) return rich('people.verifiedElsewhere', { id, date });
  return rich('people.verifiedOnDevice', { device: setBy.name, id, date });
}
