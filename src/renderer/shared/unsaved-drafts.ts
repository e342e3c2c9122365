/** Functions that save the unsaved text of a composer. */
export const unsaved = new Set<() => Promise<void>>();

/** Saves recent drafts. Must be awaited before the data is closed. */
export async function saveDrafts(): Promise<void> {
  await Promise.all([...unsaved].map((save) => save()));
}
