import { useEffect } from 'react';
import type { MigrationProgress } from '../../bridge/shapes/lock-state.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { Mark } from '../design/mark.tsx';
import { Progress } from '../design/progress.tsx';
import { fileSize } from '../shared/size.ts';
import { t } from '../words.tsx';

/** The update of large data to the format of a new version. The data is closed meanwhile. */
export function UpdatingData({ update: { done, total, bytes } }: { update: MigrationProgress }) {
  useEffect(() => {
    document.title = t('app.name');
  }, []);
  return (
    <main className="flex h-full overflow-y-auto">
      <EmptyState
        action={
          <div className="flex w-64">
            <Progress done={done} label={t('app.updating')} total={total} />
          </div>
        }
        heading="h1"
        picture={<Mark size={56} />}
        text={t('app.updatingHelp', { size: fileSize(bytes) })}
        title={t('app.updating')}
      />
    </main>
  );
}
