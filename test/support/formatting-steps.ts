/** The formatting of a whole text, for a {@link StepCounter}: each format once, and the states that the bar shows. */
import { formats, formatting, isFormatted } from '../../src/renderer/chat/writing/format.ts';

export function formatAll(text: string): void {
  for (const format of formats) {
    for (const from of [0, text.length >> 1, text.length]) {
      const selected = { text, from, to: text.length };
      formatting(selected, format);
      isFormatted(selected, format);
    }
  }
}
