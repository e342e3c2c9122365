import { expect, test } from 'vitest';
import { PageScreen } from '../../../src/browser-host/page-screen.ts';

const notice = {
  key: '1',
  conversationId: '1',
  title: 'Ben',
  body: 'Hello',
  isSilent: false,
  canAnswer: false,
};

const UNUSED = { gone: () => undefined };

/** A screen, and pages that record their messages. */
function screenOf(...names: string[]) {
  const screen = new PageScreen();
  const calls: string[] = [];
  const trust = new Map(names.map((name) => [name, true]));
  const add = (name: string) =>
    screen.add({
      isTrusted: () => trust.get(name) === true,
      notify: ({ body }) => calls.push(`${name} shows ${body}`),
      withdraw: (key) => calls.push(`${name} withdraws ${key}`),
    });
  return { screen, calls, trust, pages: names.map(add) };
}

test('the last used page shows a notification; all pages dismiss it', () => {
  const { screen, calls, pages } = screenOf('a', 'b', 'c');
  for (const page of pages) page.allow(true);
  pages[0]?.attend('7');
  const close = screen.show(notice, UNUSED);
  expect(calls).toEqual(['a shows Hello']);
  calls.length = 0;
  close();
  expect(calls.sort()).toEqual(['a withdraws 1', 'b withdraws 1', 'c withdraws 1']);
});

test('a page without permission or trust shows none; without pages there is no screen', () => {
  const { screen, calls, trust, pages } = screenOf('a', 'b');
  expect(screen.isThere()).toBe(false);
  pages[0]?.allow(true);
  expect(screen.isThere()).toBe(true);
  screen.show(notice, UNUSED);
  trust.set('a', false);
  expect(screen.isThere()).toBe(false);
  screen.show(notice, UNUSED);
  expect(calls).toEqual(['a shows Hello']);
  trust.set('a', true);
  pages[0]?.remove();
  pages[0]?.attend('7');
  expect(screen.isThere()).toBe(false);
});

test('a conversation is attended while a page has it in front', () => {
  const { screen, pages } = screenOf('a', 'b');
  pages[0]?.attend('1');
  pages[1]?.attend('2');
  pages[1]?.attend(null);
  expect([screen.isAttended('1'), screen.isAttended('2')]).toEqual([true, false]);
  pages[0]?.remove();
  expect(screen.isAttended('1')).toBe(false);
});

test('the host knows when a notification is gone: removed there, with its page, or never shown', () => {
  const { screen, pages } = screenOf('a', 'b');
  const gone: string[] = [];
  const show = (key: string) => screen.show({ ...notice, key }, { gone: () => gone.push(key) });
  show('unseen');
  for (const page of pages) page.allow(true);
  show('1');
  show('2');
  const close = show('3');
  // Notifications have serial numbers from 1. Those of another page or an earlier one with the key do not count.
  pages[0]?.gone('1', 1);
  pages[1]?.gone('1', 9);
  expect(gone).toEqual(['unseen']);
  pages[1]?.gone('1', 1);
  pages[1]?.gone('1', 1);
  expect(gone).toEqual(['unseen', '1']);
  close();
  pages[1]?.gone('3', 3);
  pages[1]?.remove();
  expect(gone).toEqual(['unseen', '1', '2']);
});
