import { useState } from 'react';
import type { Me } from '../../bridge/shapes/account.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { t } from '../words.tsx';
import { type FoundComputer, LinkConfirm } from './link-confirm.tsx';
import { LinkEnter } from './link-enter.tsx';
import { LinkOutcome } from './link-outcome.tsx';

/** Links a new computer to this account, by its code. */
export function LinkDevice({ me }: { me: Me }) {
  const [isOpen, setIsOpen] = useState(false);
  const [found, setFound] = useState<FoundComputer | null>(null);
  const [isSigned, setIsSigned] = useState(false);
  const close = () => {
    setIsOpen(false);
    setFound(null);
    setIsSigned(false);
  };
  return (
    <>
      <div>
        <Button onClick={() => setIsOpen(true)}>{t('settings.link')}</Button>
      </div>
      <Dialog onClose={close} open={isOpen} title={t('settings.link')}>
        {!found ? (
          <LinkEnter me={me} onFound={setFound} />
        ) : isSigned ? (
          <LinkOutcome computer={found} me={me} onDone={close} />
        ) : (
          <LinkConfirm computer={found} me={me} onCancel={close} onSigned={() => setIsSigned(true)} />
        )}
      </Dialog>
    </>
  );
}
