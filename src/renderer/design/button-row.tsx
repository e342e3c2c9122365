import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/**
 * The buttons at the end of a form or dialog. In a narrow window they fill the row; without room beside each other, each
 * has its own row.
 */
export function ButtonRow({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div className={classNames('flex shrink-0 flex-wrap justify-end gap-2 max-sm:*:grow', className)}>
      {children}
    </div>
  );
}
