import { failureText } from '../../words.tsx';
import type { FileOf } from './use-file.ts';

/** Below a file: the reason of its last failure, unless it is below the message. */
export function FileProblem({ of: { file, message } }: { of: FileOf }) {
  const problem =
    message.state === 'failed' && message.problem?.code === file.problem?.code ? null : file.problem;
  return (
    <p
      aria-live="polite"
      className="mt-1 whitespace-normal text-danger-ink text-meta [overflow-wrap:anywhere] empty:hidden"
    >
      {problem && failureText(problem)}
    </p>
  );
}
