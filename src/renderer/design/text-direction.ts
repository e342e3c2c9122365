/**
 * The direction of a text field: a typed text has its own, an empty field has the interface's, for its placeholder.
 */
export function directionOf(value: string): 'auto' | undefined {
  return value === '' ? undefined : 'auto';
}
