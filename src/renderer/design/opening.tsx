import { t } from '../words.tsx';
import { Mark } from './mark.tsx';

/** While it is not known yet what there is to show. */
export function Opening() {
  return (
    <main aria-busy="true" aria-label={t('app.opening')} className="grid h-full place-items-center">
      <Mark className="shimmer" size={56} />
    </main>
  );
}
