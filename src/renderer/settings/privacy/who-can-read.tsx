import { useBridgeQuery } from '../../bridge.ts';
import { Skeleton } from '../../design/skeleton.tsx';
import { t } from '../../words.tsx';

const protections = {
  'os-key-store': 'protection.keychain',
  passphrase: 'protection.passphrase',
  file: 'protection.none',
} as const;

/** The protection of the key on this machine, and who can read which data, in plain words. */
export function WhoCanRead() {
  const { data: host } = useBridgeQuery('host.info', {});
  if (!host) return <Skeleton className="h-48" />;
  const facts = [
    { where: t('settings.readersHere'), what: t(protections[host.keyProtection.kind]) },
    {
      where: t('settings.readersLocked'),
      what:
        host.keyProtection.kind === 'passphrase'
          ? t('settings.readersLockedText')
          : t('settings.readersNeverLocked'),
    },
    {
      where: t('settings.readersServer'),
      what: t('settings.readersServerText'),
    },
    {
      where: t('settings.readersPeople'),
      what: t('settings.readersPeopleText'),
    },
    {
      where: t('settings.readersStolenKey'),
      what: t('settings.readersStolenKeyText'),
    },
    {
      where: t('settings.readersPhrase'),
      what: t('settings.readersPhraseText'),
    },
  ];
  return (
    <>
      <h4 className="font-semibold text-secondary">{t('settings.readers')}</h4>
      <dl className="flex flex-col gap-3">
        {facts.map(({ where, what }) => (
          <div key={where}>
            <dt className="text-secondary">{where}</dt>
            <dd className="text-ink-soft">{what}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
