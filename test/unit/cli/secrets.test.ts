import { expect, test } from 'vitest';
import { refuseSecrets } from '../../../src/cli/secrets.ts';

const KEY = `sk_live_${'A'.repeat(43)}`;

test.each([
  [['me', '--api-key', 'x']],
  [['me', '--api-key=x']],
  [['me', `--relay=${KEY}`]],
  [['send', '@ann', KEY]],
  [['send', '@ann', '--', KEY]],
  [['send', `gtk_live_${'A'.repeat(43)}`]],
  [['me', `ses_${'A'.repeat(43)}`]],
  [['groups', 'join', 'id', '--password', 'x']],
])('%j contains a secret', (args) => {
  expect(() => refuseSecrets(args)).toThrow(/^Do not pass secrets as arguments/);
});

test.each([
  [['groups', 'join', 'id', '--password-file', 'x']],
  [['send', '@ann', 'keys begin with sk_live_']],
  [['send', '@ann', '--', '--password']],
  [['send', '@ann', '--group', 'id']],
])('%j contains no secret', (args) => {
  expect(() => refuseSecrets(args)).not.toThrow();
});
