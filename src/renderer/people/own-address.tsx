import { QrCode } from '../design/qr-code.tsx';
import { t } from '../words.tsx';
import { AddressBlock } from './address-block.tsx';
import { contactCode } from './verification/contact-code.ts';

/** The person's own address, for scanning, reading out or copying. */
export function OwnAddress({ address }: { address: string }) {
  return (
    <div className="flex flex-col items-center gap-3">
      <QrCode className="w-44" label={t('people.ownCodeLabel')} text={contactCode(address)} />
      <AddressBlock address={address} />
    </div>
  );
}
