/** Notices of the page when the interface cannot show any: the program has ended, or its link was used. */
import './notice.css';

let shown: HTMLElement | null = null;

/** Covers the page with a notice, and replaces an existing one. */
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

/** Removes the notice, if there is one. */
export function hideNotice(): void {
  shown?.remove();
  shown = null;
  document.getElementById('root')?.removeAttribute('inert');
}
