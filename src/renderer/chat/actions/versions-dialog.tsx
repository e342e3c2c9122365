import { useBridgeQuery } from '../../bridge.ts';
import { Dialog } from '../../design/dialog.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { fullTime } from '../../shared/time.ts';
import { t } from '../../words.tsx';
import { articleOf, useActions } from './action-state.tsx';

/** The texts of an edited message, newest first. */
export function VersionsDialog() {
  const { opened, open } = useActions();
  if (opened?.kind !== 'versions') return null;
  const { id } = opened.message;
  return (
    <Dialog finalFocus={() => articleOf(id)} onClose={() => open(null)} open title={t('message.versions')}>
      <Versions id={id} />
    </Dialog>
  );
}

function Versions({ id }: { id: string }) {
  const { data: versions, error } = useBridgeQuery('messages.versions', { id });
  if (error) return <p className="p-5 text-ink-soft">{error.message}</p>;
  if (!versions) return <Skeleton className="m-5 h-12" />;
  const numbered = versions.map((version, place) => ({ ...version, place })).toReversed();
  return (
    <ol className="flex flex-col p-5">
      {numbered.map(({ text, at, place }) => (
        <li className="border-line border-b py-3 first:pt-0 last:border-b-0 last:pb-0" key={place}>
          <p className="text-ink-soft text-meta">
            {place === versions.length - 1 && `${t('message.current')} · `}
            {place === 0 && `${t('message.original')} · `}
            <time dateTime={new Date(at).toISOString()}>{fullTime(at)}</time>
          </p>
          {text === '' ? (
            <p className="mt-1 text-ink-soft text-message italic">{t('message.noCaption')}</p>
          ) : (
            <p className="mt-1 whitespace-pre-wrap text-message [overflow-wrap:anywhere]" dir="auto">
              {text}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
