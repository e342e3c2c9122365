interface ProgressProps {
  label: string;
  done: number;
  /** 0 if unknown. */
  total: number;
}

/** A bar of progress. It is moved by whole percents, which a screen reader can follow. */
export function Progress({ label, done, total }: ProgressProps) {
  const percent = total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : undefined;
  return (
    <progress
      aria-label={label}
      className="h-1.5 min-w-0 flex-1 appearance-none overflow-hidden rounded-full border border-transparent bg-line-strong/40 [&::-moz-progress-bar]:bg-accent-ink [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent-ink"
      max={100}
      value={percent}
    />
  );
}
