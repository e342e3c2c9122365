/** Each saves what is written in one composer and not saved yet. */
export const unsaved = new Set<() => Promise<void>>();

/** Saves what was written a moment ago. To be awaited before the data is closed, which would lose it. */
export async function saveDrafts(): Promise<void> {
  await Promise.all([...unsaved].map((save) => save()));
}
