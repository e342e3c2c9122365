/**
 * What is wrong with a code that a person types, as a failure with its own sentence.
 */
import { Failure } from '../../base/failure.ts';
import { LinkCodeError, type LinkCodeFault, parseLinkCode } from '../../protocol/linking/code.ts';

/** What is wrong with a code that is being typed, or null if it can be tried. */
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
 * @throws what {@link findLinkCodeProblem} finds
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
