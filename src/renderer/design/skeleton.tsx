import { classNames } from './class-names.ts';

/** The place of something that is still loading. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={classNames('shimmer block rounded-control bg-sunken', className)} />
  );
}
