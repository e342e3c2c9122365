import { HistoryRecord, MAX_REACTIONS } from './history-records.ts';

/** Reactions that are merged together: about 5 ms. */
const REACTIONS = 100;

/**
 * Divides the record of a message with many reactions into records with some of them: merging a message again adds its missing
 * parts. So no record needs a long time. Each part repeats the body, so it is bounded before, and the edits are in the first part only.
 * @param record JSON of anyone
 * @returns the record itself, if it has few reactions; none for one of another form
 */
export function* partsOf(record: unknown): Generator<unknown> {
  const isObject = typeof record === 'object' && record !== null;
  if (!isObject || !('reactions' in record)) return yield record;
  const { reactions } = record;
  if (!Array.isArray(reactions) || reactions.length <= REACTIONS) return yield record;
  const whole = { ...record, reactions: [] };
  if (!HistoryRecord.safeParse(whole).success) return;
  const merged = reactions.slice(0, MAX_REACTIONS);
  for (let first = 0; first < merged.length; first += REACTIONS)
    yield {
      ...whole,
      ...(first > 0 && { edits: [], pin: null }),
      reactions: merged.slice(first, first + REACTIONS),
    };
}
