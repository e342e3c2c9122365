import { expect, test } from 'vitest';
import { decodeRef, encodeRef } from '../../../src/client/message-ref.ts';

const ANN = `0x${'a1'.repeat(20)}`;
const BEN = `0x${'b2'.repeat(20)}`;
const name = { sender: ANN, id: 'AZBvIDIaT3yjlb1TlNgkxw', digest: 'jXXA7KoUIOJjSM0kAAAAAA' };

test.each([
  { where: { peer: ANN }, proof: 'signed' as const, expires: null, length: 91 },
  { where: { peer: BEN }, proof: 'api' as const, expires: 31_536_000, length: 118 },
  { where: { groupId: 'AAAA7KoUIOJjSM0kAAAAAA' }, proof: 'bot' as const, expires: 30, length: 112 },
])('a ref is parsed as it was made, $proof', ({ where, proof, expires, length }) => {
  const named = {
    name,
    where,
    proof,
    hasFiles: expires === 30,
    sentAt: Date.UTC(2026, 2, 4, 12) + 7,
    expires,
  };
  const ref = encodeRef(named);
  expect(decodeRef(ref)).toEqual(named);
  expect(ref).toHaveLength(length);
});

test('refuses a reference that was cut, extended or changed in its header', () => {
  const ref = encodeRef({
    name,
    where: { peer: BEN },
    proof: 'token',
    hasFiles: false,
    sentAt: 1,
    expires: null,
  });
  const wrong = [
    '',
    'wxm_',
    ref.slice(0, -4),
    `${ref}AAAA`,
    ref.replace('wxm_', 'wxb_'),
    `wxm_Ag${ref.slice(6)}`,
  ];
  for (const text of [...wrong, `${ref.slice(0, 20)} ${ref.slice(21)}`])
    expect(() => decodeRef(text)).toThrow(expect.objectContaining({ code: 'message_ref_malformed' }));
});
