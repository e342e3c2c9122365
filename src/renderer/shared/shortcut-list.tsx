import { useBridgeQuery } from '../bridge.ts';
import { t } from '../words.tsx';
import { availableShortcuts, keysOf, type Shortcut, type ShortcutName, shortcuts } from './shortcuts.ts';

const groups: readonly { group: Shortcut['group']; title: string }[] = [
  { group: 'anywhere', title: t('app.keysAnywhere') },
  { group: 'chats', title: t('app.keysChats') },
  { group: 'message', title: t('app.keysMessage') },
  { group: 'writing', title: t('app.keysWriting') },
];

/** All available shortcuts, under headings of this level. */
export function ShortcutList({ level: Heading }: { level: 'h3' | 'h4' }) {
  const { data: host } = useBridgeQuery('host.info', {});
  if (!host) return null;
  const available = availableShortcuts(host.kind);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: longer than the window, and the keyboard scrolls only a focused element
    <section aria-label={t('app.keys')} className="flex flex-col gap-6" tabIndex={0}>
      {groups.map(({ group, title }) => (
        <section className="flex flex-col gap-1" key={group}>
          <Heading className="font-semibold text-secondary">{title}</Heading>
          <dl>
            {available
              .filter((name) => shortcuts[name].group === group)
              .map((name) => (
                <Line key={name} name={name} />
              ))}
          </dl>
        </section>
      ))}
    </section>
  );
}

function Line({ name }: { name: ShortcutName }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-2 last:border-b-0">
      <dt className="min-w-0">{shortcuts[name].does}</dt>
      <dd className="flex gap-1" dir="ltr">
        {keysOf(name).map((key) => (
          <kbd
            className="min-w-7 rounded-chip border border-line-strong bg-raised px-1.5 py-0.5 text-center font-sans text-meta"
            key={key}
          >
            {key}
          </kbd>
        ))}
      </dd>
    </div>
  );
}
