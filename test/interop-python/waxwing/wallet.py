"""Wallets: keccak-256, EIP-55 addresses, and EIP-191 signatures of secp256k1 with recovery.

The package cryptography signs; the hash and the recovery of the signer it does not have, so they are here.
"""

import re

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed, decode_dss_signature

from .forms import Malformed, require

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def keccak_256(data):
    """The hash of Ethereum: Keccak as it was before SHA-3, with 0x01 as padding."""
    mask = 2**64 - 1
    rate = 136
    data += b"\x01" + bytes(-(len(data) + 1) % rate)
    data = data[:-1] + bytes([data[-1] | 0x80])
    lanes = [[0] * 5 for _ in range(5)]
    for start in range(0, len(data), rate):
        for i in range(rate // 8):
            lanes[i % 5][i // 5] ^= int.from_bytes(data[start + 8 * i : start + 8 * i + 8], "little")
        register = 1
        for _ in range(24):
            parity = [a ^ b ^ c ^ d ^ e for a, b, c, d, e in lanes]
            for x in range(5):
                ahead = parity[(x + 1) % 5]
                change = parity[x - 1] ^ ((ahead << 1 | ahead >> 63) & mask)
                lanes[x] = [lane ^ change for lane in lanes[x]]
            x, y, current = 1, 0, lanes[1][0]
            for t in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                turn = (t + 1) * (t + 2) // 2 % 64
                current, lanes[x][y] = lanes[x][y], (current << turn | current >> (64 - turn)) & mask
            for y in range(5):
                row = [lanes[x][y] for x in range(5)]
                for x in range(5):
                    lanes[x][y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5])
            for j in range(7):
                register = (register << 1 ^ (register >> 7) * 0x71) % 256
                if register & 2:
                    lanes[0][0] ^= 1 << ((1 << j) - 1)
    return b"".join(lanes[i % 5][i // 5].to_bytes(8, "little") for i in range(4))


def eip55(address):
    """An address in mixed case, as it stands in signed texts."""
    digits = address[2:]
    shades = keccak_256(digits.encode()).hex()
    return "0x" + "".join(d.upper() if int(s, 16) > 7 else d for d, s in zip(digits, shades))


def _add(a, b):
    """The sum of two points of secp256k1; None is the point at infinity."""
    if a is None or b is None:
        return a or b
    if a[0] == b[0]:
        if (a[1] + b[1]) % P == 0:
            return None
        slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, P)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def _multiply(times, point):
    """A point of secp256k1, so many times."""
    total = None
    while times:
        if times & 1:
            total = _add(total, point)
        point = _add(point, point)
        times >>= 1
    return total


def _address_of(point):
    """The address of a public key."""
    return "0x" + keccak_256(point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big"))[12:].hex()


def _digest(message):
    """What EIP-191's personal_sign signs of a text."""
    data = message.encode()
    return keccak_256(b"\x19Ethereum Signed Message:\n" + str(len(data)).encode() + data)


def recover(message, signature):
    """The address whose wallet signed this text. Raises Malformed for a signature in any form but the one."""
    require(isinstance(signature, str) and re.fullmatch("0x[0-9a-f]{130}", signature), "wallet signature")
    data = bytes.fromhex(signature[2:])
    r, s, v = int.from_bytes(data[:32], "big"), int.from_bytes(data[32:64], "big"), data[64]
    require(0 < r < N and 0 < s <= N // 2 and v in (0, 1, 27, 28), "wallet signature")
    y = pow(r**3 + 7, (P + 1) // 4, P)
    require((y * y - r**3 - 7) % P == 0, "wallet signature")
    if y % 2 != v % 27 % 2:
        y = P - y
    inverse = pow(r, -1, N)
    hashed = int.from_bytes(_digest(message), "big")
    signer = _add(_multiply(-hashed * inverse % N, G), _multiply(s * inverse % N, (r, y)))
    require(signer, "wallet signature")
    return _address_of(signer)


class Wallet:
    """A private key of secp256k1 and its address."""

    def __init__(self, key):
        self._key = ec.derive_private_key(int.from_bytes(key, "big"), ec.SECP256K1())
        public = self._key.public_key().public_numbers()
        self.address = _address_of((public.x, public.y))

    def sign(self, message):
        """EIP-191's personal_sign of a text, with a low s, as the wire has it."""
        der = self._key.sign(_digest(message), ec.ECDSA(Prehashed(hashes.SHA256())))
        r, s = decode_dss_signature(der)
        s = min(s, N - s)
        for v in (27, 28):
            signature = "0x" + (r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([v])).hex()
            try:
                if recover(message, signature) == self.address:
                    return signature
            except Malformed:
                continue
        raise AssertionError("no v fits a signature that was just made")
