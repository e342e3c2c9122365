import { classNames } from './class-names.ts';

/** Placeholder for loading content. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={classNames('shimmer block rounded-control bg-sunken', className)} />
  );
}
