import { describe, expect, test } from 'vitest';
import { personName, personSubtitle } from '../../../../src/base/person-name.ts';
import { avatarHue, avatarHues, initials, publicName } from '../../../../src/renderer/shared/person.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const person = (handle: string | null, displayName: string | null) => ({ address, handle, displayName });

describe('personName and personSubtitle', () => {
  test.each([
    ['robin', 'Robin Hale', 'Robin Hale', '@robin'],
    ['robin', null, '@robin', '0x5290…9EE7'],
    [null, 'Robin Hale', 'Robin Hale', '0x5290…9EE7'],
    [null, null, '0x5290…9EE7', '0x5290…9EE7'],
  ])('of handle %s and name %s', (handle, displayName, name, subtitle) => {
    expect(personName(person(handle, displayName))).toBe(name);
    expect(personSubtitle(person(handle, displayName))).toBe(subtitle);
  });
});

test('the public name of a person excludes the nickname', () => {
  const mum = { ...person('robin', 'Robin Hale'), nickname: 'Mum' };
  expect([personName(mum), publicName(mum)]).toEqual(['Mum', 'Robin Hale']);
  expect(publicName({ ...mum, displayName: null })).toBe('robin');
  expect(publicName(person(null, null))).toBe('0x5290…9EE7');
});

describe('initials', () => {
  test.each([
    ['Robin Hale', 'RH'],
    ['Robin van der Hale', 'RH'],
    ['robin', 'R'],
    ['李伟', '李'],
    ['“Ada” (work)', 'AW'],
    ['✨', ''],
  ])('of %s are %s', (displayName, letters) => {
    expect(initials(person(null, displayName))).toBe(letters);
  });

  test('come from the handle without a name, and are empty without both', () => {
    expect(initials(person('jonas_k', null))).toBe('JK');
    expect(initials(person(null, null))).toBe('');
  });
});

describe('avatarHue', () => {
  test('is one of the hues, for every address', () => {
    for (let n = 0; n < 1000; n += 1) {
      const hue = avatarHue(`0x${n.toString(16).padStart(40, 'f')}`);
      expect(Number.isInteger(hue) && hue >= 0 && hue < avatarHues).toBe(true);
    }
  });

  test('does not depend on the case of the letters', () => {
    expect(avatarHue(address)).toBe(avatarHue(address.toLowerCase()));
  });
});
