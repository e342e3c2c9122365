import { expect, test } from 'vitest';
import { adminSocketPath } from '../../../../src/relay/admin/socket-path.ts';

test('the socket is in the data folder; on Windows it is a pipe of that folder', () => {
  expect(adminSocketPath('/var/lib/waxwing', 'linux')).toBe('/var/lib/waxwing/admin.sock');
  const pipe = adminSocketPath('/data/one', 'win32');
  expect(pipe).toMatch(/^\\\\\.\\pipe\\waxwing-relay-[0-9a-f]{64}$/);
  expect(adminSocketPath('/data/two', 'win32')).not.toBe(pipe);
});

test('refuses a too long path of the folder, exactly from the limit on', () => {
  const longest = (most: number) => `/${'a'.repeat(most - '/admin.sock'.length - 1)}`;
  for (const [platform, most] of [
    ['linux', 107],
    ['darwin', 103],
  ] as const) {
    expect(adminSocketPath(longest(most), platform)).toHaveLength(most);
    expect(() => adminSocketPath(`${longest(most)}a`, platform)).toThrow(
      'is too long for the administration socket',
    );
    expect(() => adminSocketPath(longest(most).replace('aa', 'aé'), platform)).toThrow(
      'is too long for the administration socket',
    );
  }
});
