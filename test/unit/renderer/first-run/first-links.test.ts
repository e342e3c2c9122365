import { expect, test } from 'vitest';
import { MAX_FIRST_LINKS } from '../../../../src/bridge/longest.ts';
import type { FirstLinks, OpenedLink } from '../../../../src/bridge/shapes/app.ts';
import {
  inOrder,
  withEntered,
  withOpened,
  withoutLink,
} from '../../../../src/renderer/first-run/first-links.ts';

const NO_LINKS: FirstLinks = { entered: null, others: [] };
const invite = (code: string): OpenedLink => ({ kind: 'invite', text: `https://relay.example/i#${code}` });
const sameInApp = (code: string): OpenedLink => ({ kind: 'invite', text: `waxwing:i/${code}` });
const contact = (address: string): OpenedLink => ({ kind: 'contact', address });
const opened = (...links: OpenedLink[]) => links.reduce(withOpened, NO_LINKS);

test('opened links wait in their order, each once', () => {
  const links = opened(invite('A'), contact('0xAB'), sameInApp('A'), invite('B'), contact('0xab'));
  expect(inOrder(links)).toEqual([invite('A'), contact('0xAB'), invite('B')]);
});

test('the link of the field is first, and waits once', () => {
  const links = withEntered(opened(invite('A'), invite('B')), { text: 'waxwing:i/B', isAgreed: true });
  expect(inOrder(links)).toEqual([{ ...sameInApp('B'), isAgreed: true }, invite('A')]);
  expect(withOpened(links, invite('B'))).toBe(links);
});

test('a removed link is removed in each of its forms, and the others wait', () => {
  const links = withEntered(opened(invite('A'), contact('0xAB')), { text: 'waxwing:i/B', isAgreed: true });
  expect(withoutLink(links, invite('B'))).toEqual({ entered: null, others: [invite('A'), contact('0xAB')] });
  expect(withoutLink(links, sameInApp('A')).others).toEqual([contact('0xAB')]);
});

test('the number of waiting links is bounded, and the earliest stay', () => {
  const all = Array.from({ length: MAX_FIRST_LINKS + 1 }, (_, index) => invite(`code${index}`));
  expect(opened(...all).others).toEqual(all.slice(0, MAX_FIRST_LINKS));
});
