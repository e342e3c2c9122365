import { useAsk } from '../../bridge.ts';
import { Skeleton } from '../../design/skeleton.tsx';
import { t } from '../../words.tsx';

const protections = {
  'os-key-store': 'protection.keychain',
  passphrase: 'protection.passphrase',
  file: 'protection.none',
} as const;

/** How the key is protected on this machine, and who can read what, in plain words. */
export function WhoCanRead() {
  const { data: host } = useAsk('host.info', {});
  if (!host) return <Skeleton className="h-48" />;
  const facts = [
    { where: 'On this computer', what: t(protections[host.keyProtection.kind]) },
    {
      where: 'While Waxwing is locked',
      what:
        host.keyProtection.kind === 'passphrase'
          ? 'Nothing is open: Waxwing has let go of the key, and messages wait at the relay until you unlock.'
          : 'It is never locked: whoever sits at your computer while you are logged in reads along. Turn on the app lock to change that.',
    },
    {
      where: 'At the relay',
      what: 'Its operator cannot read what you write, but sees who writes to whom, when, and roughly how much.',
    },
    {
      where: 'The people you write to',
      what: 'They can read, keep and pass on your messages, and prove that you wrote them: your device signs each one.',
    },
    {
      where: 'A stolen device key',
      what: 'It opens what was sent to that device in the days before its key was replaced, if somebody has kept it.',
    },
    {
      where: 'Your recovery phrase',
      what: 'Whoever has it can be you, and opens the messages on this computer without the passphrase.',
    },
  ];
  return (
    <dl className="flex flex-col gap-3">
      {facts.map(({ where, what }) => (
        <div key={where}>
          <dt className="font-semibold text-[0.8125rem]">{where}</dt>
          <dd className="text-ink-soft leading-relaxed">{what}</dd>
        </div>
      ))}
    </dl>
  );
}
