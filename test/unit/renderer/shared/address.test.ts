import { describe, expect, test } from 'vitest';
import { shortAddress } from '../../../../src/base/person-name.ts';
import {
  addressGroups,
  isCompleteAddress,
  looksLikeAddress,
} from '../../../../src/renderer/shared/address.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';

describe('addresses', () => {
  test('are shortened to their ends', () => {
    expect(shortAddress(address)).toBe('0x5290…9EE7');
  });

  test('are grouped without losing a digit or its case', () => {
    const groups = addressGroups(address);
    expect(groups).toHaveLength(10);
    expect(`0x${groups.join('')}`).toBe(address);
  });

  test.each([
    ['0x', true],
    [' 0xAb12 ', true],
    ['0xyz', false],
    ['maya', false],
  ])('%j is meant as one: %s', (text, expected) => {
    expect(looksLikeAddress(text)).toBe(expected);
  });

  test('are complete with exactly forty digits', () => {
    expect(isCompleteAddress(address)).toBe(true);
    expect(isCompleteAddress(address.slice(0, -1))).toBe(false);
    expect(isCompleteAddress(`${address}0`)).toBe(false);
  });
});
