import { expect, test } from 'vitest';
import { type RefusedData, refusedSentence } from '../../../src/base/refused-sentences.ts';

test.each<[RefusedData, string]>([
  [{ code: 'cannot_be_opened', parameters: {} }, 'It cannot be opened.'],
  [{ code: 'payload', parameters: { fault: 'json' } }, 'Its contents are malformed: the body is not JSON.'],
  [{ code: 'unsigned', parameters: {} }, 'It is not signed. Its sender does not allow that.'],
  [
    { code: 'unexpected', parameters: { id: 'E-7F3K' } },
    'Something went wrong (E-7F3K). The log has details.',
  ],
])('$code becomes its sentence, with its parameters', (why, sentence) => {
  expect(refusedSentence(why)).toBe(sentence);
});
