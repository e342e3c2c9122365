import type { FailureData } from '../../base/failure.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { Mark } from '../design/mark.tsx';
import { failureText, t } from '../words.tsx';

/** The data was not opened at the start, for example on a full disk. The app ends after its message. */
export function NotOpened({ failure }: { failure: FailureData }) {
  return (
    <main className="flex h-full overflow-y-auto">
      <EmptyState
        heading="h1"
        picture={<Mark size={56} />}
        text={failureText(failure)}
        title={t('app.cannotStart')}
      />
    </main>
  );
}
