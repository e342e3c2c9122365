"""Sealing for Waxwing: RFC 9180 HPKE with an exported key, by docs/protocol.md, sections 3, 6, 7 and 11.

Needs the package `cryptography`. sealing.json, padding.json, payloads.json and bots.json in docs/vectors have its
test vectors.
"""

import base64
import hashlib
import hmac
import json
import os
from datetime import datetime, timezone

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

MAX_PAYLOAD_BYTES = 65_535
VERSION = b"HPKE-v1"
KEM = b"KEM" + bytes([0x00, 0x20])
HPKE = b"HPKE" + bytes([0x00, 0x20, 0x00, 0x01, 0x00, 0x02])
# Version 1, suite 1, flags: bit 1, written by a program. The sequences of the device lists are 0: unknown.
HEADER = bytes([1, 1, 2, 0]) + bytes(8)


def encode(data: bytes) -> str:
    """base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode(text: str, length: int) -> bytes:
    """Bytes of canonical base64url without padding. Raises ValueError for any other form or length."""
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode(data) != text or len(data) != length:
        raise ValueError(f"not {length} bytes in base64url")
    return data


def address_bytes(address: str) -> bytes:
    """The 20 bytes of an address in its wire form."""
    if len(address) != 42 or not address.startswith("0x") or address != address.lower():
        raise ValueError("not an address")
    return bytes.fromhex(address[2:])


def pad(payload: bytes) -> bytes:
    """The payload, 0x80, and zeros up to its bucket: powers of two up to 4,096 bytes, then Padmé."""
    if len(payload) > MAX_PAYLOAD_BYTES:
        raise ValueError("the payload is too long")
    needed = len(payload) + 1
    if needed <= 4096:
        length = max(256, 1 << (needed - 1).bit_length())
    else:
        exponent = needed.bit_length() - 1
        step = 1 << (exponent - exponent.bit_length())
        length = -(-needed // step) * step
    return (payload + b"\x80").ljust(length, b"\0")


def _extract(suite: bytes, salt: bytes, label: bytes, key: bytes) -> bytes:
    return hmac.digest(salt, VERSION + suite + label + key, "sha256")


def _expand(suite: bytes, key: bytes, label: bytes, info: bytes) -> bytes:
    """LabeledExpand of RFC 9180, section 4, for 32 bytes."""
    return hmac.digest(key, bytes([0, 32]) + VERSION + suite + label + info + b"\x01", "sha256")


def seal(
    sender: str,
    recipient: str,
    device_key: str,
    payload: bytes,
    *,
    header: bytes = HEADER,
    ephemeral: X25519PrivateKey | None = None,
    nonce: bytes | None = None,
) -> dict[str, str]:
    """One copy for one device, as an envelope of the API.

    `ephemeral` and `nonce` are for test vectors: every copy needs a new one of each.
    Raises ValueError if the device key is malformed or of low order.
    """
    ephemeral = ephemeral or X25519PrivateKey.generate()
    nonce = nonce or os.urandom(12)
    public_key = decode(device_key, 32)
    enc = ephemeral.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    # Raises ValueError if the result is all zero.
    dh = ephemeral.exchange(X25519PublicKey.from_public_bytes(public_key))
    shared_secret = _expand(KEM, _extract(KEM, b"", b"eae_prk", dh), b"shared_secret", enc + public_key)
    info = b"waxwing/seal/v1" + address_bytes(sender) + address_bytes(recipient)
    context = b"\0" + _extract(HPKE, b"", b"psk_id_hash", b"") + _extract(HPKE, b"", b"info_hash", info)
    secret = _extract(HPKE, shared_secret, b"secret", b"")
    exporter_secret = _expand(HPKE, secret, b"exp", context)
    key = _expand(HPKE, exporter_secret, b"sec", b"waxwing/seal/v1/key")
    return {
        "toAddress": recipient,
        "recipientDeviceKey": device_key,
        "ciphertext": encode(header + AESGCM(key).encrypt(nonce, pad(payload), header)),
        "ephemeralPublicKey": encode(enc),
        "nonce": encode(nonce),
    }


def body_bytes(body: dict) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def unsigned_payload(label: bytes, body: dict) -> bytes:
    """An unsigned payload: label, version 2, 0, and the body as JSON."""
    return label + bytes([2, 0]) + body_bytes(body)


def read_bot_key(text: str) -> Ed25519PrivateKey:
    """The key of a bot: `wxb_` and 32 bytes. Raises ValueError for any other text."""
    if not text.startswith("wxb_"):
        raise ValueError("a bot key begins with wxb_")
    return Ed25519PrivateKey.from_private_bytes(decode(text.removeprefix("wxb_"), 32))


def bot_payload(body: dict, key: Ed25519PrivateKey) -> bytes:
    """A payload to a group, signed by a bot: label, version 2, 2, the bot's id, the signature, and the body."""
    label, data = b"SEALEDGRP", body_bytes(body)
    bot_id = hashlib.sha256(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)).digest()[:16]
    signature = key.sign(b"waxwing/payload/v2" + label + hashlib.sha256(data).digest())
    return label + bytes([2, 2]) + bot_id + signature + data


def text_payload(sender: str, text: str, bot: Ed25519PrivateKey | None = None, **where: str | dict) -> bytes:
    """A text to a person (`peer`) or into a group (`groupId` and `roster`), with a new id and the current time.

    `bot` signs a post into a group.
    """
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    body = {"id": encode(os.urandom(16)), "sender": sender, "sentAt": now, "seq": 0, "kind": "text", **where}
    body["text"] = text
    if bot and "groupId" in where:
        return bot_payload(body, bot)
    return unsigned_payload(b"SEALEDGRP" if "groupId" in where else b"SEALEDMSG", body)
