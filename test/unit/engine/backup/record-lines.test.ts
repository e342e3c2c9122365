import { expect, test } from 'vitest';
import { RecordLines } from '../../../../src/engine/backup/record-lines.ts';

test('counts lines that are malformed or of an unknown form', () => {
  const file = { type: 'file', key: 'A'.repeat(43), digest: 'A'.repeat(43), size: 1 };
  const lines = [file, { type: 'future' }].map((each) => JSON.stringify(each));
  const records = new RecordLines(Buffer.from([...lines, '{"type":', ''].join('\n')));
  const all = [...records];
  expect(all.map((each) => each?.type ?? null)).toEqual(['file', null, null]);
  expect(records.unusable).toBe(2);
});
