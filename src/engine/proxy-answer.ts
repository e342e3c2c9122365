/** The answer of another thread to the question for a proxy. */
import { failureFrom, RelayUnreachable } from '../base/failure.ts';
import type { Answer } from '../bridge/failure.ts';

/**
 * The proxy in an answer; null for none.
 * @throws RelayUnreachable for an unusable proxy, Failure
 */
export function proxyIn(answer: Answer<string | null>): string | null {
  if (answer.ok) return answer.value;
  const { failure } = answer;
  if (failure.code === 'proxy_malformed') throw new RelayUnreachable(failure.code, failure.parameters);
  if (failure.code === 'proxy_unsupported') throw new RelayUnreachable(failure.code);
  throw failureFrom(failure);
}
