/**
 * A refusal of this client, as an error with a short reason for tests. Values are never repaired: any other form than
 * the protocol's is refused.
 */
export class Refusal extends Error {
  readonly reason: string;

  constructor(reason: string, detail = reason) {
    super(detail);
    this.name = 'Refusal';
    this.reason = reason;
  }
}

/** Refuses unless the condition is true. */
export function must(condition: boolean, reason: string, detail?: string): asserts condition {
  if (!condition) throw new Refusal(reason, detail);
}

/** The reason with which `work` was refused, or null. Other errors are rethrown. */
export function reasonOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}
