/**
 * The script of the invite page, a file of its own. It reads the code after `#`, which browsers do not send. Only a code of the allowed
 * characters is put into a link of the app: the code comes from anywhere.
 */
export const INVITE_SCRIPT = `'use strict';
const MOST = 2048;
const CODE = /^[A-Za-z0-9_-]+(?:[.]inv_[A-Za-z0-9_-]{43})?$/;
// Place of the relay's origin in each kind of code (docs/protocol.md, 'Inviting'): it ends the code.
const ORIGIN_AT = { 1: 37, 2: 69, 3: 49, 4: 81 };
const part = (id) => document.getElementById(id);

// A cut code has another origin. The app reports codes of newer versions.
function isWhole(code) {
  let bytes;
  try {
    bytes = atob(code.split('.')[0].replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return false;
  }
  const start = ORIGIN_AT[bytes.charCodeAt(0)];
  return start === undefined || bytes.slice(start) === location.origin;
}

function show() {
  const code = location.hash.slice(1);
  const isGood = code.length <= MOST && CODE.test(code) && isWhole(code);
  part('invite').hidden = !isGood;
  part('none').hidden = code !== '';
  part('malformed').hidden = code === '' || isGood;
  part('copied').textContent = '';
  if (isGood) part('open').href = 'waxwing:i/' + code;
  else part('open').removeAttribute('href');
}

async function copy() {
  // Without a query that another site has added: the app reads links without one.
  const link = location.origin + location.pathname + location.hash;
  part('link').value = link;
  try {
    await navigator.clipboard.writeText(link);
    part('copied').textContent = 'Link copied';
  } catch {
    // Without permission, or without https: the person copies it.
    part('field').hidden = false;
    part('link').select();
    part('copied').textContent = 'Copy the selected link.';
  }
}

part('copy').addEventListener('click', copy);
addEventListener('hashchange', show);
show();
`;
