import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Output } from '../../bridge/contract.ts';
import { queryKey, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { t } from '../words.tsx';
import { LinkCode } from './link-code.tsx';
import { LinkExplanation } from './link-explanation.tsx';
import { useLinkedDevice } from './use-linked-device.ts';

/** Lets another computer become a device of this account, by a one-time code that is shown here. */
export function LinkDevice() {
  const [isOpen, setIsOpen] = useState(false);
  const [offer, setOffer] = useState<Output<'devices.link'> | null>(null);
  const [wasUsed, setWasUsed] = useState(false);
  const client = useQueryClient();
  const { linked, trouble } = useLinkedDevice(offer?.devices.map(({ id }) => id));
  const make = useCommand('devices.link', {
    tellsFailure: true,
    onSuccess: (made) => {
      client.setQueryData(queryKey('devices.list', {}), made.devices);
      setOffer(made);
    },
  });
  const cancel = useCommand('devices.cancelLink', {
    onSuccess: ({ cancelled }) => {
      setWasUsed(!cancelled);
      void client.invalidateQueries({ queryKey: queryKey('devices.list') });
    },
  });
  const takeBack = () => {
    if (offer && !linked && Date.now() < offer.expiresAt) cancel.mutate({});
  };
  const close = () => {
    takeBack();
    setIsOpen(false);
    setOffer(null);
    make.reset();
  };
  // Settings can go away as a whole, code and all: when another dialog or a conversation is opened.
  const leave = useEffectEvent(takeBack);
  useEffect(() => () => leave(), []);
  const makes = {
    isMaking: make.isPending,
    onMake: (passphrase: string | null) => make.mutate({ passphrase }),
    problem: make.error?.message ?? null,
  };
  return (
    <>
      <div>
        <Button
          onClick={() => {
            setWasUsed(false);
            setIsOpen(true);
          }}
        >
          {t('settings.link')}
        </Button>
      </div>
      <p className="leading-relaxed empty:hidden" role="status">
        {wasUsed && t('settings.linkUsed')}
      </p>
      <Dialog onClose={close} open={isOpen} title={t('settings.link')}>
        {offer ? (
          <LinkCode
            key={offer.code}
            linked={linked}
            offer={offer}
            onClose={close}
            trouble={trouble}
            {...makes}
          />
        ) : (
          <LinkExplanation {...makes} />
        )}
      </Dialog>
    </>
  );
}
