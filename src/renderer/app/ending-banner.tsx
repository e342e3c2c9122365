import type { Me } from '../../bridge/shapes/account.ts';
import { plainDate } from '../shared/time.ts';
import { useMayAct } from '../shared/use-shut-out.ts';
import { t } from '../words.tsx';

/** Shown while this computer's certificate ends soon and it cannot renew itself. */
export function EndingBanner({ me: { endsAt } }: { me: Me }) {
  const mayAct = useMayAct();
  if (endsAt === null || !mayAct) return null;
  return (
    <aside
      aria-label={t('app.ending')}
      className="shrink-0 border-line border-b bg-warning-soft px-4 py-1.5 text-center text-secondary text-warning-ink"
    >
      {t('app.endingHelp', { date: plainDate(endsAt) })}
    </aside>
  );
}
