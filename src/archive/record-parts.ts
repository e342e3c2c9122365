/** Reactions that are merged together: about 5 ms. */
const REACTIONS = 100;

/**
 * Divides the record of a message with many reactions into records with some of them: merging a message again adds what it does not
 * have. So no record needs a long time.
 * @param record JSON of anyone
 */
export function* partsOf(record: unknown): Generator<unknown> {
  const isObject = typeof record === 'object' && record !== null;
  if (!isObject || !('reactions' in record)) return yield record;
  const { reactions } = record;
  if (!Array.isArray(reactions) || reactions.length <= REACTIONS) return yield record;
  for (let first = 0; first < reactions.length; first += REACTIONS)
    yield { ...record, reactions: reactions.slice(first, first + REACTIONS) };
}
