import { expect, test } from 'vitest';
import { contents } from '../../../../src/messaging/contents/all-kinds.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';

const deviceId = (index: number) => encodeBase64Url(Uint8Array.of(index >> 8, index & 0xff, ...Array(14)));

/** Values by a number of devices, which count how often one of them is read. */
function counted(devices: number, value: unknown): { values: object; reads: () => number } {
  let reads = 0;
  const values = {};
  for (let index = 0; index < devices; index++)
    Object.defineProperty(values, deviceId(index), {
      enumerable: true,
      get() {
        reads += 1;
        return value;
      },
    });
  return { values, reads: () => reads };
}

test.each([
  ['delivered', 1],
  ['read', 1],
  ['from', 1],
  ['missing', [1]],
  ['skipped', [1]],
] as const)('a receipt with too many devices in %s is refused without parsing them', (field, value) => {
  const few = counted(20, value);
  expect(contents.judge('direct', { kind: 'receipt', [field]: few.values })).toMatchObject({ as: 'control' });
  expect(few.reads()).toBeGreaterThan(0);
  const many = counted(1_500, value);
  expect(contents.judge('direct', { kind: 'receipt', [field]: many.values })).toEqual({ as: 'unknown' });
  expect(many.reads()).toBe(0);
});

test.each([null, 7, 'text', [1], { short: 1 }, { [deviceId(1)]: 0 }])(
  'a receipt with %j for devices is refused',
  (value) => {
    const body = { kind: 'receipt', read: value };
    expect(contents.judge('direct', body)).toEqual({ as: 'unknown' });
  },
);
