"""An account at a relay: login, device list, seal key, handle, and the proven lists and keys of other people."""

import os
import time

from . import devices
from .forms import MINUTE, b64, require, time_ms, time_text, wire_address
from .relay import Relay, part
from .sealing import public_key
from .trust import Held, Known
from .wallet import Wallet

YEAR_MS = 365 * 86_400_000
MAX_LISTS = 1_000
"""A client need not catch up over more at once."""

OLD_KEY_KEPT = 20 * MINUTE
"""How long after the relay took a new seal key the private half of the one before is kept."""


def now_ms():
    """The clock, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Account:
    """A wallet with one device of its own. Keys are made where the state has none."""

    def __init__(self, url, state):
        self.relay = Relay(url)
        self.state = state
        for name in ("wallet", "device"):
            state[name] = state[name] or os.urandom(32).hex()
        self.wallet = Wallet(bytes.fromhex(state["wallet"]))
        self.device = devices.Device(bytes.fromhex(state["device"]))
        self.address = self.wallet.address
        self._token = None
        self._expires = 0
        state.save()

    def call(self, method, path, body=None, statuses=(200,)):
        """A call with a session, which the device renews before it ends."""
        if self._expires < now_ms() + MINUTE:
            self.log_in_with_device()
        return self.relay.call(method, path, body, token=self._token, statuses=statuses)

    def log_in_with_wallet(self):
        """Opens a session with the wallet; the first one makes the account."""
        challenge = self.relay.call("POST", "/auth/challenge", {"address": self.address})
        require(challenge["domain"] == self.relay.domain, "a login to another relay")
        for value in challenge.values():
            require("\n" not in str(value), "a challenge with a line break")
        signature = self.wallet.sign(devices.login_text(self.address, challenge))
        self._begin({"nonce": challenge["nonce"], "signature": signature})

    def log_in_with_device(self):
        """Opens a session with the device."""
        issued = now_ms()
        signed = devices.session_bytes(self.address, self.device.id, issued, self.relay.domain)
        signature = b64(self.device.sign(signed))
        self._begin({"deviceId": b64(self.device.id), "issuedAt": time_text(issued), "signature": signature})

    def _begin(self, proof):
        session = self.relay.call("POST", "/auth/session", {"address": self.address, **proof}, statuses=(201,))
        require(session["address"] == self.address, "a session of another address")
        self._token, self._expires = session["token"], time_ms(session["expiresAt"])

    def me(self):
        """Who the relay says that we are; remembers how long it keeps envelopes."""
        answer = self.call("GET", "/me")
        require(answer["address"] == self.address, "another address")
        self.state["retention"] = answer["limits"]["retentionSeconds"] * 1000
        self.state.save()
        return answer

    def publish(self):
        """Publishes the first device list, which has this device alone, and its first seal key."""
        now = now_ms()
        device = {
            "deviceId": b64(self.device.id),
            "key": b64(self.device.key),
            "type": "app",
            "validUntil": time_text(now + YEAR_MS),
        }
        shown = {"sequence": 1, "previous": None, "issued": time_text(now), "unsigned": [], "devices": [device]}
        shown["signature"] = self.wallet.sign(devices.list_text(self.address, shown))
        statement = self._new_seal_key(1)
        answer = self.call("PUT", "/me/devices", {"deviceList": shown, "sealKeys": [statement]})
        self._take_own(answer)
        self._accepted(statement)

    def rotate(self):
        """Publishes the next seal key. The one before is kept for what is on its way (`erase_old_keys`)."""
        statement = self._new_seal_key(self.known(self.address).pin["sequence"])
        path = f'/me/devices/{part(statement["deviceId"])}/seal-key'
        self._take_own(self.call("PUT", path, {"sealKey": statement}))
        self._accepted(statement)

    def _new_seal_key(self, number):
        """A statement about a new seal key, stored before anybody sees it; one that was not accepted yet is repeated."""
        kept = self.state["sealKeys"]
        if kept and kept[-1]["acceptedAt"] is None:
            return kept[-1]["statement"]
        secret, now = os.urandom(32), now_ms()
        statement = {
            "deviceId": b64(self.device.id),
            "key": b64(public_key(secret)),
            "pq": None,
            "listSequence": number,
            "sequence": kept[-1]["statement"]["sequence"] + 1 if kept else 1,
            "notBefore": time_text(now),
            "notAfter": time_text(now + devices.SEAL_KEY_LIFE),
        }
        statement["signature"] = b64(self.device.sign(devices.seal_key_bytes(self.address, statement)))
        kept.append({"secret": secret.hex(), "statement": statement, "acceptedAt": None, "readToEnd": False})
        self.state.save()
        return statement

    def _take_own(self, answer):
        """What the relay shows of the own address must be what was just published."""
        require(answer["address"] == self.address, "keys of another address")
        require(devices.list_hash(self.address, answer["deviceList"]), "device list")
        self._take_list(self.known(self.address), answer["deviceList"])

    def _accepted(self, statement):
        self.state["sealKeys"][-1]["acceptedAt"] = now_ms()
        require(self.state["sealKeys"][-1]["statement"] == statement, "seal key")
        self.state.save()

    def erase_old_keys(self):
        """Called when the queue was read to its end: erases the keys before one that was accepted 20 minutes ago."""
        kept = self.state["sealKeys"]
        ripe = [i for i, key in enumerate(kept) if key["acceptedAt"] and key["acceptedAt"] + OLD_KEY_KEPT <= now_ms()]
        if ripe:
            del kept[: ripe[-1]]
            self.state.save()

    def set_handle(self, handle):
        """Claims a handle."""
        require(self.call("PUT", "/me/handle", {"handle": handle})["handle"] == handle, "another handle")

    def resolve(self, name):
        """The address of a handle, or the address that `name` is."""
        if not name.startswith("@"):
            return wire_address(name)
        answer = self.call("GET", f"/handles/{part(name[1:])}")
        require(answer["handle"] == name[1:], "another handle")
        return wire_address(answer["address"])

    def known(self, address):
        """State of an address (section 10)."""
        return Known(address, self.state["known"].get(address))

    def remember(self, known):
        """Stores what is remembered of an address."""
        self.state["known"][known.address] = known.save()
        self.state.save()

    def keys(self, address):
        """The proven seal keys of an address. Raises Held while nothing may be sealed to it."""
        answer = self.call("GET", f"/keys/{part(address)}")
        require(answer["address"] == address, "keys of another address")
        return self.judge_keys(address, answer)

    def judge_keys(self, address, shown):
        """The same of what a relay shows, beside a group for example: {deviceList, sealKeys}."""
        known = self.known(address)
        became = self._take_list(known, shown["deviceList"])
        try:
            if became == "nothing":
                raise Held(address, "unproven")
            return known.keys_to_seal_to(shown["sealKeys"] if became == "pin" else [], now_ms())
        finally:
            self.remember(known)

    def _take_list(self, known, shown):
        """Judges a device list that the relay shows, and gets those between the pin and it where there are some."""
        between = []
        if known.pin and shown["sequence"] > known.pin["sequence"] + 1:
            between = self._history(known.address, known.pin["sequence"], shown["sequence"] - 1)
        became = known.take_list(shown, between, now_ms())
        self.remember(known)
        return became

    def _history(self, address, after, up_to):
        """The device lists of an address after one number and up to another, as the relay tells them."""
        require(up_to - after <= MAX_LISTS, "too many lists at once")
        lists = []
        while after < up_to:
            page = self.call("GET", f"/keys/{part(address)}/history?after={after}")
            require(page["address"] == address, "history of another address")
            lists += [one for one in page["lists"] if one["sequence"] <= up_to]
            if not page["lists"] or page["lists"][-1]["sequence"] <= after:
                break
            after = page["lists"][-1]["sequence"]
        return lists

    def proven_list(self, address, number):
        """A proven device list for the fold of a chain; None if it is not to be had yet."""
        proven = self.state["lists"].setdefault(address, {})
        if str(number) not in proven:
            pin = self.known(address).pin
            if pin is None or pin["sequence"] < number:
                try:
                    self.keys(address)
                except Held:
                    pass
            if pin := self.known(address).pin:
                self._prove_down(address, pin)
        return proven.get(str(number))

    def _prove_down(self, address, pin):
        """All lists before the pin that it commits to, by their hashes."""
        proven = self.state["lists"][address]
        proven[str(pin["sequence"])] = pin
        expected = pin["previous"]
        for lower in reversed(self._history(address, 0, pin["sequence"] - 1) if pin["sequence"] > 1 else []):
            devices.list_form(lower)
            if devices.list_hash(address, lower) != expected:
                break
            proven[str(lower["sequence"])] = lower
            expected = lower["previous"]
        self.state.save()

    def secrets(self, device_key):
        """The private halves to open a copy with: that of its `recipientDeviceKey`, or all that are left."""
        kept = self.state["sealKeys"]
        fitting = [one for one in kept if device_key in (None, one["statement"]["key"])]
        return [bytes.fromhex(one["secret"]) for one in fitting]
