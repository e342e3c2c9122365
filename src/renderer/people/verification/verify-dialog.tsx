import { ShieldCheck, ShieldX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { personName } from '../../../base/person-name.ts';
import type { Person } from '../../../bridge/shapes/person.ts';
import { useBridgeQuery, useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { ButtonRow } from '../../design/button-row.tsx';
import { Dialog, DialogText } from '../../design/dialog.tsx';
import { rich, t } from '../../words.tsx';
import { AddressBlock } from '../address-block.tsx';
import { Section } from '../details-section.tsx';
import { OwnAddress } from '../own-address.tsx';
import { isSameAddress } from './contact-code.ts';
import { ScanCode } from './scan-code.tsx';

interface VerifyDialogProps {
  peer: Person;
  open: boolean;
  onClose: () => void;
}

/** Compares a contact's address with the one that they show: visually, aloud, or by their QR code. */
export function VerifyDialog({ peer, open, onClose }: VerifyDialogProps) {
  return (
    <Dialog onClose={onClose} open={open} title={t('people.verifyTitle', { name: personName(peer) })}>
      <Verification onClose={onClose} peer={peer} />
    </Dialog>
  );
}

function Verification({ peer, onClose }: { peer: Person; onClose: () => void }) {
  const [outcome, setOutcome] = useState<'same' | 'other' | null>(null);
  const setVerified = useCommand('people.setVerified');
  const judge = (isSame: boolean) => {
    const result = isSame ? 'same' : 'other';
    // Confirmed once it is stored; a failure becomes a toast.
    setVerified.mutate({ address: peer.address, verified: isSame }, { onSuccess: () => setOutcome(result) });
  };
  if (outcome === 'same') return <Same onClose={onClose} peer={peer} />;
  if (outcome === 'other') return <Other onAgain={() => setOutcome(null)} onClose={onClose} peer={peer} />;
  return (
    <div className="flex flex-col gap-6 p-5">
      <Section title={t('people.compare')}>
        <DialogText className="text-ink-soft">
          {rich('people.compareText', { name: personName(peer) })}
        </DialogText>
        <AddressBlock address={peer.address} />
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => judge(true)} tone="primary">
            {t('people.match')}
          </Button>
          <Button onClick={() => judge(false)}>{t('people.noMatchAddress')}</Button>
        </div>
      </Section>
      <Section title={t('people.scan')}>
        <p className="text-ink-soft">{t('people.scanText')}</p>
        <ScanCode onAddress={(address) => judge(isSameAddress(address, peer.address))} />
      </Section>
      <OwnCode />
    </div>
  );
}

function OwnCode() {
  const { data } = useBridgeQuery('app.state', {});
  if (!data?.me) return null;
  const { address } = data.me;
  return (
    <Section title={t('people.ownCode')}>
      <OwnAddress address={address} />
    </Section>
  );
}

function Same({ peer, onClose }: { peer: Person; onClose: () => void }) {
  return (
    <Outcome
      actions={
        <Button onClick={onClose} tone="primary">
          {t('common.done')}
        </Button>
      }
      icon={<ShieldCheck aria-hidden="true" className="size-8 shrink-0 text-success-ink" />}
      title={t('people.match')}
    >
      {rich('people.matchText', { name: personName(peer) })}
    </Outcome>
  );
}

function Other({ peer, onAgain, onClose }: { peer: Person; onAgain: () => void; onClose: () => void }) {
  return (
    <Outcome
      actions={
        <>
          <Button onClick={onAgain}>{t('people.compareAgain')}</Button>
          <Button onClick={onClose} tone="primary">
            {t('common.close')}
          </Button>
        </>
      }
      icon={<ShieldX aria-hidden="true" className="size-8 shrink-0 text-danger-ink" />}
      title={t('people.noMatchAddress')}
    >
      {rich('people.noMatchText', { name: personName(peer) })}
    </Outcome>
  );
}

interface OutcomeProps {
  icon: ReactNode;
  title: string;
  actions: ReactNode;
  children: ReactNode;
}

function Outcome({ icon, title, actions, children }: OutcomeProps) {
  return (
    <div className="flex flex-col gap-4 p-5" role="status">
      <div className="flex gap-3">
        {icon}
        <div>
          <h3 className="font-semibold">{title}</h3>
          <p className="mt-1 text-ink-soft">{children}</p>
        </div>
      </div>
      <ButtonRow>{actions}</ButtonRow>
    </div>
  );
}
