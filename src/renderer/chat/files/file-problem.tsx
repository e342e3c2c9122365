import { failureText } from '../../words.tsx';
import type { FileOf } from './use-file.ts';

/** Below a file: the reason of its last failure. */
export function FileProblem({ of: { file } }: { of: FileOf }) {
  return (
    <p
      aria-live="polite"
      className="mt-1 whitespace-normal text-danger-ink text-meta [overflow-wrap:anywhere] empty:hidden"
    >
      {file.problem && failureText(file.problem)}
    </p>
  );
}
