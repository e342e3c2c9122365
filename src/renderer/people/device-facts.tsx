import { Laptop, TerminalSquare } from 'lucide-react';
import { personName } from '../../base/person-name.ts';
import type { ContactDetails } from '../../bridge/shapes/contact.ts';
import { useBridgeQuery } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { FactList } from '../design/fact-list.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { plainDate } from '../shared/time.ts';
import { WhileAccepted } from '../shared/while-accepted.tsx';
import { failureText, rich, t } from '../words.tsx';
import { Section } from './details-section.tsx';
import { DeviceListChoice } from './device-list-choice.tsx';
import { deviceName } from './device-name.ts';

/** The devices signed by a contact's account, and its other permissions. */
export function DeviceFacts({ address }: { address: string }) {
  const { data: details, error, refetch } = useBridgeQuery('people.details', { address });
  if (error) {
    return (
      <Section title={t('people.devices')}>
        <p className="text-ink-soft">{error.message}</p>
        <WhileAccepted>
          <div>
            <Button onClick={() => void refetch()} size="small">
              {t('common.tryAgain')}
            </Button>
          </div>
        </WhileAccepted>
      </Section>
    );
  }
  if (!details) {
    return (
      <Section title={t('people.devices')}>
        <Skeleton className="h-14" />
        <Skeleton className="h-4 w-3/4" />
      </Section>
    );
  }
  return (
    <>
      <DeviceListChoice details={details} />
      <Devices details={details} />
    </>
  );
}

function Devices({ details }: { details: ContactDetails }) {
  return (
    <Section title={t('people.devices')}>
      {details.problem && details.problem.kind !== 'fork' && (
        <p className="rounded-control bg-warning-soft px-3 py-2 [overflow-wrap:anywhere]" role="status">
          {failureText(details.problem.failure)}
        </p>
      )}
      {details.devices.length === 0 ? (
        <p className="text-ink-soft">{t('people.devicesNone')}</p>
      ) : (
        <DeviceList devices={details.devices} notPostQuantum={details.notPostQuantum} />
      )}
      {details.notPostQuantum.length > 0 && <p className="text-ink-soft">{t('people.notPostQuantumText')}</p>}
      <p className="text-ink-soft">
        {details.unsigned.length > 0
          ? rich('people.unsigned', { name: personName(details.person) })
          : t('people.signedOnly')}
      </p>
      <Facts details={details} />
    </Section>
  );
}

function DeviceList({ devices, notPostQuantum }: Pick<ContactDetails, 'devices' | 'notPostQuantum'>) {
  return (
    <ul className="flex flex-col rounded-menu border border-line bg-raised">
      {devices.map((device) => {
        const Icon = device.type === 'app' ? Laptop : TerminalSquare;
        return (
          <li
            className="flex items-center gap-3 px-3.5 py-2.5 not-first:border-line not-first:border-t"
            key={device.id}
          >
            <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-soft" strokeWidth={1.7} />
            <div className="min-w-0">
              <p className="truncate">
                {deviceName(device)}{' '}
                <span className="font-mono text-ink-soft text-meta">{device.id.slice(0, 8)}</span>
              </p>
              <p className="text-ink-soft text-meta">
                {t('people.validUntil', { date: plainDate(device.validUntil) })}
              </p>
              {notPostQuantum.includes(device.id) && (
                <p className="text-ink-soft text-meta">{t('people.notPostQuantum')}</p>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Facts({ details }: { details: ContactDetails }) {
  return (
    <FactList>
      <dt className="text-ink-soft">{t('people.list')}</dt>
      <dd>
        {details.listSequence > 0
          ? t('people.listNumber', { number: details.listSequence })
          : t('people.listNotSeen')}
      </dd>
      {details.notSeenSince !== null && (
        <>
          <dt className="text-ink-soft">{t('people.notSeenSince')}</dt>
          <dd>{plainDate(details.notSeenSince)}</dd>
        </>
      )}
      {details.firstSeenAt !== null && (
        <>
          <dt className="text-ink-soft">{t('people.firstSeen')}</dt>
          <dd>{plainDate(details.firstSeenAt)}</dd>
        </>
      )}
    </FactList>
  );
}
