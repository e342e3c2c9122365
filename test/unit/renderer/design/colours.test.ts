/**
 * The colour roles: text is readable on every permitted background, light and dark, by WCAG 2.2.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync('src/renderer/design/tokens.css', 'utf8');
const THEMES = ['light', 'dark'] as const;
/** Minimum contrast of normal text, and of parts that are needed to use a control. */
const TEXT = 4.5;
const CONTROL = 3;

/** A role's colour, as `#rrggbb`. */
function colour(role: string, theme: (typeof THEMES)[number]): string {
  const pair = new RegExp(`--color-${role}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css);
  const single = new RegExp(`--color-${role}: (#\\w{6});`).exec(css);
  const found = theme === 'light' ? (pair?.[1] ?? single?.[1]) : (pair?.[2] ?? single?.[1]);
  if (found === undefined) throw new Error(`there is no colour for ${role}`);
  return found;
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05);
}

const PLACES = ['canvas', 'surface', 'raised', 'sunken', 'selection', 'own'];
const ON: [text: string, places: string[], least: number][] = [
  ['ink', [...PLACES, 'warning-soft', 'danger-soft'], 7],
  ['ink-soft', PLACES, TEXT],
  ['accent-ink', ['canvas', 'surface', 'raised', 'sunken', 'selection'], TEXT],
  ['danger-ink', ['canvas', 'surface', 'raised', 'danger-soft'], TEXT],
  ['success-ink', ['canvas', 'surface', 'raised'], TEXT],
  ['warning-ink', ['canvas', 'surface', 'raised', 'warning-soft'], TEXT],
  ['unread', ['surface', 'raised'], TEXT],
  ['on-accent', ['accent'], TEXT],
  ['on-unread', ['unread'], TEXT],
  ['focus', PLACES, TEXT],
  ['line-strong', ['canvas', 'surface', 'raised'], CONTROL],
];

test.each(THEMES)('every text has enough contrast, %s', (theme) => {
  const short = ON.flatMap(([text, places, least]) =>
    places.flatMap((place) => {
      const ratio = contrast(colour(text, theme), colour(place, theme));
      return ratio < least ? [`${text} on ${place}: ${ratio.toFixed(2)}`] : [];
    }),
  );
  expect(short).toEqual([]);
});

test('white initials have enough contrast on each avatar colour', async () => {
  const { avatarHues } = await import('../../../../src/renderer/shared/person.ts');
  const faces = [...css.matchAll(/--avatar-\d+: (#\w{6});/g)].map(([, hex = '']) => hex);
  expect(faces).toHaveLength(avatarHues);
  expect(faces.filter((face) => contrast(face, '#ffffff') < TEXT)).toEqual([]);
});
