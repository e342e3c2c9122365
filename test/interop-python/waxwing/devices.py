"""Sections 4 and 5 of docs/protocol.md: texts of a login, device lists and seal keys."""

import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from .forms import DAY, MINUTE, Malformed, address_bytes, b64, require, sequence, time_ms, u32, u64, unb64
from .sealing import is_key_to_seal_to
from .wallet import eip55, recover

SKEW = 5 * MINUTE
"""How far a clock may be off."""

UNSIGNED = ([], ["api"])
LIST_LIFE = 400 * DAY
SEAL_KEY_LIFE = 45 * DAY


class Device:
    """An Ed25519 key that signs, by its seed of 32 bytes."""

    def __init__(self, seed):
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.key = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.id = device_id(self.key)

    def sign(self, data):
        """64 bytes."""
        return self._key.sign(data)


def device_id(key):
    """The id of an Ed25519 public key: of a device, or of a bot."""
    return hashlib.sha256(key).digest()[:16]


def signed_by(key, signature, data):
    """Whether this Ed25519 public key made this signature."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, data)
        return True
    except (InvalidSignature, ValueError):
        return False


def login_text(address, challenge):
    """What the wallet signs to log in (EIP-4361)."""
    c = challenge
    return (
        f'{c["domain"]} wants you to sign in with your Ethereum account:\n{eip55(address)}\n\n{c["statement"]}\n\n'
        f'URI: {c["uri"]}\nVersion: {c["version"]}\nChain ID: {c["chainId"]}\nNonce: {c["nonce"]}\n'
        f'Issued At: {c["issuedAt"]}\nExpiration Time: {c["expirationTime"]}'
    )


def session_bytes(address, device, issued, domain):
    """What a device signs to log in; `issued` in milliseconds."""
    return b"waxwing/session/v1" + address_bytes(address) + device + u64(issued) + domain.encode()


def list_text(address, shown):
    """What the wallet signs of a device list."""
    lines = sorted(f'Device: {d["deviceId"]} {d["key"]} {d["type"]} {d["validUntil"]}' for d in shown["devices"])
    return "\n".join(
        [
            "Waxwing device list v1",
            "Sign only inside Waxwing. This lets the devices below read and send your messages.",
            f"Address: {eip55(address)}",
            f'Sequence: {shown["sequence"]}',
            f'Previous: {shown["previous"] or "none"}',
            f'Issued: {shown["issued"]}',
            f'Unsigned: {",".join(shown["unsigned"]) or "none"}',
            *lines,
        ]
    )


def list_hash(address, shown):
    """What the next device list has as `previous`."""
    return b64(hashlib.sha256(list_text(address, shown).encode()).digest())


def list_form(shown):
    """Raises Malformed unless this has the form of a device list, and keeps the rules that need neither clock nor address."""
    require(isinstance(shown, dict), "device list")
    for name in ("sequence", "previous", "issued", "unsigned", "devices", "signature"):
        require(name in shown, f"device list: {name}")
    number = sequence(shown["sequence"])
    require((shown["previous"] is None) == (number == 1), "only the first list has no `previous`")
    require(number == 1 or unb64(shown["previous"], 32), "previous")
    require(shown["unsigned"] in UNSIGNED, "unsigned")
    devices = shown["devices"]
    require(isinstance(devices, list) and 1 <= len(devices) <= 16, "devices")
    issued = time_ms(shown["issued"])
    for device in devices:
        require(isinstance(device, dict) and device.get("type") in ("app", "api"), "device")
        key = unb64(device.get("key"), 32)
        require(unb64(device.get("deviceId"), 16) == device_id(key), "the id of a device is not the hash of its key")
        require(time_ms(device.get("validUntil")) <= issued + LIST_LIFE, "a device is valid for too long")
    require(len({device["deviceId"] for device in devices}) == len(devices), "a device twice")


def prove_list(address, shown, now):
    """Raises Malformed unless a device list proves itself at `now`, in milliseconds."""
    list_form(shown)
    require(time_ms(shown["issued"]) <= now + SKEW, "issued ahead of the clock")
    require(recover(list_text(address, shown), shown["signature"]) == address, "another wallet signed")


def device_in(shown, device):
    """The device with this id (base64url) in a device list; None if it has none."""
    return next((d for d in shown["devices"] if d["deviceId"] == device), None)


def seal_key_bytes(address, shown):
    """What a device signs about its seal key."""
    return (
        b"waxwing/sealkey/v2"
        + address_bytes(address)
        + unb64(shown["deviceId"], 16)
        + unb64(shown["key"], 32)
        + (bytes(32) if shown["pq"] is None else unb64(shown["pq"], 32))
        + u32(sequence(shown["listSequence"]))
        + u32(sequence(shown["sequence"]))
        + u64(time_ms(shown["notBefore"]))
        + u64(time_ms(shown["notAfter"]))
    )


def prove_seal_key(address, certified, shown, now):
    """Raises Malformed unless a seal key may be used at `now`, by the proven device list `certified`."""
    try:
        signed = seal_key_bytes(address, shown)
        device = device_in(certified, shown["deviceId"])
        begins, ends = time_ms(shown["notBefore"]), time_ms(shown["notAfter"])
        signature = unb64(shown["signature"], 64)
    except (KeyError, TypeError) as error:
        raise Malformed("seal key") from error
    require(shown["pq"] is None or any(unb64(shown["pq"], 32)), "32 zeros as pq")
    require(device and now < time_ms(device["validUntil"]), "no device of the list, or one that has ended")
    require(begins < ends <= begins + SEAL_KEY_LIFE, "the life of the key")
    require(begins - SKEW <= now < ends, "not in force")
    require(is_key_to_seal_to(unb64(shown["key"], 32)), "the key is not canonical, or of low order")
    require(signed_by(unb64(device["key"], 32), signature, signed), "the device did not sign")
