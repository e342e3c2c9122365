/** The problem of a typed link code, as a failure with its own sentence. */
import { Failure } from '../../base/failure.ts';
import { LinkCodeError, type LinkCodeFault, parseLinkCode } from '../../protocol/linking/code.ts';

/** The problem of a code while it is typed; null if it can be tried. */
export function findLinkCodeProblem(code: string): Failure | null {
  try {
    parseLinkCode(code);
    return null;
  } catch (error) {
    if (error instanceof LinkCodeError) return failureOf(error.fault);
    throw error;
  }
}

/**
 * The 16 bytes of a code.
 * @throws the problem of {@link findLinkCodeProblem}
 */
export function readLinkCode(code: string): Uint8Array {
  const problem = findLinkCodeProblem(code);
  if (problem !== null) throw problem;
  return parseLinkCode(code);
}

function failureOf(fault: LinkCodeFault): Failure {
  switch (fault.wrong) {
    case 'character':
      return new Failure('code_stranger', { character: fault.character });
    case 'length':
      return new Failure('code_length', { length: fault.length, given: fault.given });
    case 'checksum':
      return new Failure('code_mistyped');
  }
}
