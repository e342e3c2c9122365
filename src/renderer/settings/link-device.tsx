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
  /** Null before the list is signed; then whether the computer gets the history. */
  const [sent, setSent] = useState<{ withHistory: boolean } | null>(null);
  const close = () => {
    setIsOpen(false);
    setFound(null);
    setSent(null);
  };
  return (
    <>
      <div>
        <Button onClick={() => setIsOpen(true)}>{t('settings.link')}</Button>
      </div>
      <Dialog onClose={close} open={isOpen} title={t('settings.link')}>
        {!found ? (
          <LinkEnter me={me} onFound={setFound} />
        ) : sent ? (
          <LinkOutcome computer={found} me={me} onDone={close} withHistory={sent.withHistory} />
        ) : (
          <LinkConfirm
            computer={found}
            me={me}
            onCancel={close}
            onSigned={(withHistory) => setSent({ withHistory })}
          />
        )}
      </Dialog>
    </>
  );
}
