import { ShieldX } from 'lucide-react';
import { useState } from 'react';
import { personName } from '../../base/person-name.ts';
import type { ContactDetails, DeviceListSide } from '../../bridge/shapes/contact.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { plainDate } from '../shared/time.ts';
import { WhileAccepted } from '../shared/while-accepted.tsx';
import { rich, t } from '../words.tsx';
import { deviceName } from './device-name.ts';

/** Two contradicting signed device lists of a contact, side by side: the person chooses the valid one. */
export function DeviceListChoice({ details }: { details: ContactDetails }) {
  const { fork, person } = details;
  if (!fork) return null;
  const name = personName(person);
  return (
    <section
      aria-label={t('people.fork')}
      className="flex flex-col gap-3 rounded-menu border border-danger-ink/40 bg-danger-soft p-3.5"
    >
      <div className="flex items-start gap-2">
        <ShieldX aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-danger-ink" />
        <h3 className="font-semibold [overflow-wrap:anywhere]">{rich('people.forkTitle', { name })}</h3>
      </div>
      <p className="[overflow-wrap:anywhere]">{rich('people.forkText', { name })}</p>
      <p className="[overflow-wrap:anywhere]">{rich('people.forkAsk', { name })}</p>
      <div className="grid grid-cols-2 gap-2">
        <Side details={details} other={fork.other} side={fork.known} title={t('people.forkKnown')} />
        <Side details={details} other={fork.known} side={fork.other} title={t('people.forkOther')} />
      </div>
    </section>
  );
}

interface SideProps {
  title: string;
  side: DeviceListSide;
  other: DeviceListSide;
  details: ContactDetails;
}

function Side({ title, side, other, details: { person } }: SideProps) {
  const [asking, setAsking] = useState(false);
  const choose = useCommand('people.chooseList');
  const inOther = new Set(other.devices.map(({ id }) => id));
  const name = personName(person);
  return (
    <section
      aria-label={t('people.forkSide', { title })}
      className="flex min-w-0 flex-col gap-2 rounded-control border border-line bg-raised p-2.5 text-secondary"
    >
      <div>
        <h4 className="font-semibold">{title}</h4>
        <p className="text-ink-soft">
          {t('people.forkSigned', { number: side.sequence, date: plainDate(side.issuedAt) })}
        </p>
        <p className={side.isShown ? 'font-semibold' : 'text-ink-soft'}>
          {side.isShown ? t('people.forkShown') : t('people.forkNotShown')}
        </p>
      </div>
      <ul className="flex flex-1 flex-col gap-1.5">
        {side.devices.map((device) => (
          <li key={device.id}>
            {deviceName(device)}{' '}
            <span className="whitespace-nowrap font-mono text-ink-soft text-meta">
              {device.id.slice(0, 8)}
            </span>
            {!inOther.has(device.id) && (
              <span className="block font-semibold text-danger-ink text-meta">
                {t('people.forkOnlyHere')}
              </span>
            )}
          </li>
        ))}
      </ul>
      <WhileAccepted>
        <Button busy={choose.isPending} onClick={() => setAsking(true)} size="small">
          {t('people.forkUse')}
        </Button>
      </WhileAccepted>
      <Confirmation
        action={t('people.forkUse')}
        tone="primary"
        explanation={t('people.forkUseText', { name, count: side.devices.length })}
        onClose={() => setAsking(false)}
        onConfirm={() => choose.mutate({ address: person.address, hash: side.hash })}
        open={asking}
        title={t('people.forkUseTitle', { number: side.sequence, name })}
      />
    </section>
  );
}
