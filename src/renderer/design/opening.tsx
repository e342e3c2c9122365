import { t } from '../words.tsx';
import { Mark } from './mark.tsx';

/** Shown until the first content is known. */
export function Opening() {
  return (
    <main aria-busy="true" className="grid h-full place-items-center">
      <h1 className="sr-only">{t('app.opening')}</h1>
      <Mark className="shimmer" size={56} />
    </main>
  );
}
