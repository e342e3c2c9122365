import { expect, test } from 'vitest';
import { isOnThisComputer } from '../../../../src/renderer/shared/server.ts';

test.each(['http://127.0.0.1:8080', 'http://127.1.2.3', 'http://localhost:1', 'http://[::1]:8080'])(
  '%s is on this computer',
  (url) => expect(isOnThisComputer(url)).toBe(true),
);

test.each(['https://relay.example', 'https://127.relay.example', 'https://localhost.example', ''])(
  'others can reach “%s”',
  (url) => expect(isOnThisComputer(url)).toBe(false),
);
