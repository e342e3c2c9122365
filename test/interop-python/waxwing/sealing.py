"""Section 6 of docs/protocol.md: padding, and sealing in suite 0x01."""

import hashlib
import hmac
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from .forms import Malformed, address_bytes, b64, require, u32, unb64

LONGEST_PAYLOAD = 65_535
AS_REQUEST = 1
AUTOMATED = 2


class NotOpened(Exception):
    """A copy that does not open. It says no reason, for all reasons are one."""


def bucket(length):
    """The padded length for a payload of this length."""
    needed = length + 1
    if needed <= 4096:
        return next(size for size in (256, 512, 1024, 2048, 4096) if size >= needed)
    e = needed.bit_length() - 1
    unit = 1 << (e - e.bit_length())
    return -(-needed // unit) * unit


def pad(payload):
    """A payload as it is encrypted."""
    require(len(payload) <= LONGEST_PAYLOAD, "a payload has at most 65,535 bytes")
    return payload + b"\x80" + bytes(bucket(len(payload)) - len(payload) - 1)


def unpad(padded):
    """The payload in its padding, which must be the one form."""
    payload = padded.rstrip(b"\0")
    require(payload[-1:] == b"\x80" and bucket(len(payload) - 1) == len(padded), "padding")
    return payload[:-1]


def public_key(secret):
    """The public half of an X25519 key, by the private half of 32 bytes."""
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def agree(secret, public):
    """X25519 of a private and a public key. Raises Malformed if that is not canonical or of low order."""
    require(len(public) == 32 and int.from_bytes(public, "little") < 2**255 - 19, "not canonical")
    try:
        return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError as error:
        raise Malformed("of low order") from error


def is_key_to_seal_to(public):
    """Whether an X25519 key is canonical and not of low order. A key of low order gives zeros with every private key."""
    try:
        agree(b"\x40" * 32, public)
        return True
    except Malformed:
        return False


def _mac(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


def _expand(key, info, size):
    """HKDF-Expand with SHA-256."""
    out, block = b"", b""
    for i in range(1, -(-size // 32) + 1):
        block = _mac(key, block + info + bytes([i]))
        out += block
    return out[:size]


def _labeled_extract(suite, salt, label, data):
    return _mac(salt, b"HPKE-v1" + suite + label + data)


def _labeled_expand(suite, key, label, info, size):
    return _expand(key, size.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info, size)


def key_schedule(dh, enc, recipient_key, info):
    """RFC 9180 from the agreed secret to the exported key, with every value on the way by its name there."""
    kem = b"KEM\x00\x20"
    hpke = b"HPKE\x00\x20\x00\x01\x00\x02"
    eae = _labeled_extract(kem, b"", b"eae_prk", dh)
    shared = _labeled_expand(kem, eae, b"shared_secret", enc + recipient_key, 32)
    context = (
        b"\x00" + _labeled_extract(hpke, b"", b"psk_id_hash", b"") + _labeled_extract(hpke, b"", b"info_hash", info)
    )
    secret = _labeled_extract(hpke, shared, b"secret", b"")
    exporter = _labeled_expand(hpke, secret, b"exp", context, 32)
    return {
        "shared_secret": shared,
        "key_schedule_context": context,
        "secret": secret,
        "exporter_secret": exporter,
        "key": _labeled_expand(hpke, exporter, b"sec", b"waxwing/seal/v1/key", 32),
    }


def seal_info(sender, recipient):
    """What binds a copy to the addresses between which it travels."""
    return b"waxwing/seal/v1" + address_bytes(sender) + address_bytes(recipient)


def seal(payload, recipient_key, sender, recipient, *, flags=0, lists=(0, 0), ephemeral=None, nonce=None):
    """A payload sealed for one X25519 key: the three fields of an envelope, as bytes.

    `lists` are the numbers of the sender's and the recipient's device list. `ephemeral` and `nonce` are for tests.
    """
    ephemeral = ephemeral or os.urandom(32)
    nonce = nonce or os.urandom(12)
    enc = public_key(ephemeral)
    header = bytes([1, 1, flags, 0]) + u32(lists[0]) + u32(lists[1])
    keys = key_schedule(agree(ephemeral, recipient_key), enc, recipient_key, seal_info(sender, recipient))
    sealed = AESGCM(keys["key"]).encrypt(nonce, pad(payload), header)
    return {"ciphertext": header + sealed, "ephemeralPublicKey": enc, "nonce": nonce}


def open_sealed(ciphertext, enc, nonce, as_request, secret, sender, recipient):
    """The payload in a copy, with its flags and the numbers of the two lists. Raises NotOpened, whatever is wrong."""
    try:
        require(len(nonce) == 12 and len(ciphertext) >= 12 + 256 + 16, "length")
        header = ciphertext[:12]
        version, suite, flags, reserved = header[:4]
        require((version, suite, reserved) == (1, 1, 0) and flags <= AS_REQUEST | AUTOMATED, "header")
        require(bool(flags & AS_REQUEST) == as_request, "asRequest")
        own = public_key(secret)
        keys = key_schedule(agree(secret, enc), enc, own, seal_info(sender, recipient))
        payload = unpad(AESGCM(keys["key"]).decrypt(nonce, ciphertext[12:], header))
        numbers = int.from_bytes(header[4:8], "big"), int.from_bytes(header[8:12], "big")
        return payload, flags, numbers
    except (Malformed, InvalidTag) as error:
        raise NotOpened from error


def envelope_id(sender, envelope):
    """The id of an envelope as it goes over the wire (section 8)."""
    device_key = envelope.get("recipientDeviceKey")
    flags = (1 if device_key else 0) | (2 if envelope.get("asRequest") else 0)
    data = b"waxwing/envelope/v1" + address_bytes(sender) + address_bytes(envelope["toAddress"]) + bytes([flags])
    data += unb64(device_key, 32) if device_key else bytes(32)
    data += b"".join(unb64(envelope[name]) for name in ("ephemeralPublicKey", "nonce", "ciphertext"))
    return b64(hashlib.sha256(data).digest())
