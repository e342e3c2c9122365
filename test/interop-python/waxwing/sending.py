"""Section 8 of docs/protocol.md: sending to a person."""

import os

from .account import Account, now_ms
from .forms import b64, js_json, require, time_text, unb64
from .payload import encode
from .relay import Problem
from .sealing import AS_REQUEST, envelope_id, seal


class Sender(Account):
    """An account that sends to people."""

    def body(self, conversation, kind, **fields):
        """A body of this device with its next number and time, both stored before any copy is sealed.

        A `hello` has no number.
        """
        pin = self.known(self.address).pin
        before = self.state["sent"].get(conversation, {"seq": 0, "at": 0})
        count, at = before["seq"] + (kind != "hello"), max(now_ms(), before["at"] + 1)
        self.state["sent"][conversation] = {"seq": count, "at": at}
        self.state.save()
        seq = 0 if kind == "hello" else count
        body = {"id": b64(os.urandom(16)), "sender": self.address, "sentAt": time_text(at), "seq": seq, "kind": kind}
        body["list"] = {"sequence": pin["sequence"], "hash": self.known(self.address).hash_of(pin["sequence"])}
        return body | fields

    def seal_for(self, payload, address, statements, as_request=False):
        """The envelopes of a payload for the keys of one address, without those of this device."""
        lists = self.known(self.address).pin["sequence"], self.known(address).pin["sequence"]
        envelopes = []
        for statement in statements:
            if statement["deviceId"] == b64(self.device.id):
                continue
            flags = AS_REQUEST if as_request else 0
            copy = seal(payload, unb64(statement["key"], 32), self.address, address, flags=flags, lists=lists)
            envelope = {"toAddress": address, "recipientDeviceKey": statement["key"]}
            envelope |= {name: b64(value) for name, value in copy.items()}
            envelopes.append(envelope | ({"asRequest": True} if as_request else {}))
        return envelopes

    def send(self, to, kind="text", **fields):
        """Sends to a person, by handle or address, and to the own other devices. Returns the id of the message.

        Raises Held where nothing may be sealed, Problem where the relay refuses a copy.
        """
        address = self.resolve(to)
        as_request = address not in self.state["peers"]
        body = self.body(address, kind, peer=address, **fields)
        payload = encode(False, js_json(body).encode(), self.device)
        for attempt in range(2):
            envelopes = self.seal_for(payload, address, self.keys(address), as_request)
            require(envelopes, "no device to seal to")
            envelopes += self.seal_for(payload, self.address, self.keys(self.address))
            refused = self._post(body["id"], envelopes)
            if not refused:
                return body["id"]
            if attempt or any(error["code"] != "unknown_device" for error in refused):
                raise Problem(200, refused[0])
        return None

    def _post(self, message, envelopes):
        """Posts sealed copies, stored before; returns the errors of those that were refused."""
        self.state["outgoing"][message] = envelopes
        self.state.save()
        results = self.call("POST", "/envelopes", {"envelopes": envelopes})["results"]
        self.check_results(envelopes, results)
        del self.state["outgoing"][message]
        self.state.save()
        return [result["error"] for result in results if result["status"] == "rejected"]

    def check_results(self, envelopes, results):
        """Raises Malformed unless each result is about the copy in its place."""
        require(len(results) == len(envelopes), "results")
        for envelope, result in zip(envelopes, results):
            taken = result["status"] in ("accepted", "duplicate")
            require(not taken or result["id"] == envelope_id(self.address, envelope), "the id of another envelope")

    def resend(self):
        """Repeats the envelopes that the relay has not answered for, as they are. Returns their results."""
        results = []
        for message, envelopes in list(self.state["outgoing"].items()):
            answer = self.call("POST", "/envelopes", {"envelopes": envelopes})["results"]
            self.check_results(envelopes, answer)
            results += [result["status"] for result in answer]
            del self.state["outgoing"][message]
        self.state.save()
        return results
