/**
 * The script of the invite page, a file of its own. It reads the code after `#`, which browsers do not send. Only a code of the allowed
 * characters is put into a link of the app: the code comes from anywhere.
 */
export const INVITE_SCRIPT = `'use strict';
const MOST = 2048;
const CODE = /^[A-Za-z0-9_-]+(?:[.]inv_[A-Za-z0-9_-]{43})?$/;
const part = (id) => document.getElementById(id);

function show() {
  const code = location.hash.slice(1);
  const isGood = code.length <= MOST && CODE.test(code);
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
