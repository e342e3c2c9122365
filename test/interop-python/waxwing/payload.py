"""Section 7 of docs/protocol.md: payloads, who signed them, and the fields that all of them have."""

import hashlib

from .devices import device_id, signed_by
from .forms import (
    Malformed,
    b64,
    json_object,
    kind_name,
    relay_id,
    require,
    sequence,
    text,
    time_ms,
    unb64,
    whole,
    wire_address,
)

DIRECT = b"SEALEDMSG"
GROUP = b"SEALEDGRP"
VERSION = 2
NOBODY, DEVICE, BOT = 0, 1, 2
LARGEST_NUMBER = 2**53 - 1


class Payload:
    """One payload, well formed: whether it is of a group, how it is signed, its exact body, and the fields in it."""

    def __init__(self, is_group, auth, signer, signature, body, fields):
        self.is_group = is_group
        self.auth = auth
        self.signer = signer
        self.signature = signature
        self.body = body
        self.fields = fields

    @property
    def is_signed(self):
        """Whether it says that a device signed it."""
        return self.auth == DEVICE

    def holds_under(self, key):
        """Whether the device or bot with this Ed25519 public key signed it. A bot signs in groups only."""
        if self.auth == NOBODY or self.signer != device_id(key):
            return False
        return signed_by(key, self.signature, signed_bytes(self.is_group, self.body))


def signed_bytes(is_group, body):
    """What a device or a bot signs of a payload."""
    return b"waxwing/payload/v2" + (GROUP if is_group else DIRECT) + hashlib.sha256(body).digest()


def encode(is_group, body, device=None):
    """A payload with this exact body, signed by a Device or by nobody."""
    auth = bytes([NOBODY])
    if device:
        auth = bytes([DEVICE]) + device.id + device.sign(signed_bytes(is_group, body))
    return (GROUP if is_group else DIRECT) + bytes([VERSION]) + auth + body


def decode(data):
    """The payload in these bytes. Raises Malformed unless label, version, way of signing, JSON and fields are right."""
    label, rest = data[:9], data[10:]
    require(label in (DIRECT, GROUP) and data[9:10] == bytes([VERSION]), "label or version")
    is_group, auth = label == GROUP, rest[0] if rest else None
    require(auth in (NOBODY, DEVICE) or (auth == BOT and is_group), "way of signing")
    signer, signature, body = None, None, rest[1:]
    if auth != NOBODY:
        require(len(rest) > 81, "cut off inside the signature")
        signer, signature, body = rest[1:17], rest[17:81], rest[81:]
    fields = json_object(body)
    check_fields(fields, is_group, auth == DEVICE)
    return Payload(is_group, auth, signer, signature, body, fields)


def check_fields(fields, is_group, is_signed):
    """Raises Malformed unless the fields that every payload of this channel has are right."""
    unb64(fields.get("id"), 16)
    wire_address(fields.get("sender"))
    time_ms(fields.get("sentAt"))
    whole(fields.get("seq"), 0, LARGEST_NUMBER)
    kind_name(fields.get("kind"))
    if is_signed:
        newest(fields.get("list"), "sequence")
    if is_group:
        relay_id(fields.get("groupId"))
        newest(fields.get("roster"), "epoch")
    else:
        wire_address(fields.get("peer"))


def newest(value, number):
    """`{sequence, hash}` of a device list, or `{epoch, hash}` of an entry."""
    require(isinstance(value, dict), number)
    sequence(value.get(number))
    unb64(value.get("hash"), 32)
    return value


def fallback_of(fields):
    """What a version shows that does not know the kind; None if there is none, or a malformed one."""
    try:
        return text(fields.get("fallback"), 1000)
    except Malformed:
        return None


def reference(fields, body):
    """How another message refers to this one."""
    return {"sender": fields["sender"], "id": fields["id"], "digest": b64(hashlib.sha256(body).digest()[:16])}
