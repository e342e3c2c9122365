import type { ReactNode } from 'react';

/** Names and values, as `dt` and `dd`: beside each other, or one under the other where there is little room. */
export function FactList({ children }: { children: ReactNode }) {
  return (
    <div className="@container">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-secondary @max-[16rem]:grid-cols-1 @max-[16rem]:[&>dd]:mb-2">
        {children}
      </dl>
    </div>
  );
}
