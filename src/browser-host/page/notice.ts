/**
 * What the page says when the interface cannot: that the program behind it is gone, or that its link is used up.
 */
import './notice.css';

let shown: HTMLElement | null = null;

/** Covers the page with a notice, in place of one that is there. */
export function showNotice(title: string, text: string): void {
  hideNotice();
  const notice = document.createElement('div');
  notice.className = 'host-notice';
  notice.setAttribute('role', 'alertdialog');
  notice.setAttribute('aria-modal', 'true');
  notice.setAttribute('aria-label', title);
  const heading = document.createElement('h1');
  heading.textContent = title;
  const words = document.createElement('p');
  words.textContent = text;
  const box = document.createElement('div');
  box.append(heading, words);
  notice.append(box);
  document.body.append(notice);
  document.getElementById('root')?.setAttribute('inert', '');
  shown = notice;
}

/** Takes the notice away, if there is one. */
export function hideNotice(): void {
  shown?.remove();
  shown = null;
  document.getElementById('root')?.removeAttribute('inert');
}
