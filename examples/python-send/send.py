#!/usr/bin/env python3
r"""Seals a text and sends it, with the package `cryptography` and the standard library.

    WAXWING_RELAY=https://relay.example WAXWING_API_KEY=sk_live_… python3 send.py @alice 'The build is green.'
    WAXWING_RELAY=https://relay.example WAXWING_GROUP_TOKEN=gtk_live_… WAXWING_BOT_KEY=wxb_… \
        python3 send.py --group ID 'Version 1.4 is out.'

Without WAXWING_BOT_KEY a post is refused before it is sent: members see it only if their group allows posts by a token
alone. If it does, give --unsigned.

It trusts the relay for the keys of the recipient. A client for people verifies and stores the device list and the
seal keys: docs/protocol.md, section 10. The library `waxwing` for Node does that.
"""

import http.client
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from waxwing_seal import read_bot_key, seal, text_payload

TIMEOUT = 30  # seconds
MAX_ANSWER_BYTES = 16 * 1024 * 1024
MAX_TEXT_BYTES = 16_384


class Refused(Exception):
    """The call failed, with a sentence."""


class Relay:
    def __init__(self, url: str, secret: str) -> None:
        self._url = url.rstrip("/")
        self._secret = secret

    def call(self, method: str, path: str, body: object = None) -> dict:
        """Makes a call of the API. Raises Refused, also if the relay cannot be reached."""
        headers = {"Authorization": f"Bearer {self._secret}"}
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode("utf-8")
        request = urllib.request.Request(f"{self._url}/api/v1{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
                return read_json(response)
        except urllib.error.HTTPError as error:
            raise Refused(self._reason(error)) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise Refused(f"The relay {self._url} cannot be reached: {reason}. Check WAXWING_RELAY.") from None

    def _reason(self, error: urllib.error.HTTPError) -> str:
        """The reason of a refusal. A proxy in front of the relay gives only a status."""
        try:
            problem = read_json(error)
            return f"{problem['code']}: {problem.get('detail', '')}"
        except (Refused, KeyError, OSError, http.client.HTTPException):
            return f"The answer of {self._url} has the status {error.code}, and is not that of a relay. Check the relay and WAXWING_RELAY."


def read_json(response) -> dict:
    data = response.read(MAX_ANSWER_BYTES + 1)
    if len(data) > MAX_ANSWER_BYTES:
        raise Refused("The answer is too long.")
    try:
        answer = json.loads(data)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise Refused("The answer is not that of a relay. Check WAXWING_RELAY.")
    return answer


def part(text: str) -> str:
    """One segment of a path."""
    return urllib.parse.quote(text, safe="")


def send_to_person(relay: Relay, handle: str, text: str) -> dict:
    sender = relay.call("GET", "/me")["address"]
    recipient = relay.call("GET", f"/handles/{part(handle)}")["address"]
    device_keys = relay.call("GET", f"/keys/{recipient}")["deviceKeys"]
    if not device_keys:
        raise Refused(f"{handle} has no device that can read a message now.")
    payload = text_payload(sender, text, peer=recipient)
    envelopes = [seal(sender, recipient, key, payload) for key in device_keys]
    return relay.call("POST", "/envelopes", {"envelopes": envelopes})


def send_to_group(relay: Relay, group_id: str, text: str, bot: Ed25519PrivateKey | None) -> dict:
    # With a group token this is the owner of the group.
    sender = relay.call("GET", "/me")["address"]
    group = relay.call("GET", f"/groups/{part(group_id)}")
    payload = text_payload(sender, text, bot, groupId=group["id"], roster=group["roster"])
    envelopes = [
        seal(sender, member, key, payload)
        for member, device_keys in group["memberDeviceKeys"].items()
        for key in device_keys
    ]
    return relay.call("POST", f"/groups/{part(group_id)}/envelopes", {"envelopes": envelopes})


def main(arguments: list[str]) -> int:
    is_unsigned = "--unsigned" in arguments
    arguments = [argument for argument in arguments if argument != "--unsigned"]
    is_group = arguments[:1] == ["--group"]
    rest = arguments[1:] if is_group else arguments
    is_token = is_group and bool(os.environ.get("WAXWING_GROUP_TOKEN"))
    bot_key = os.environ.get("WAXWING_BOT_KEY") if is_token and not is_unsigned else None
    url = os.environ.get("WAXWING_RELAY", "")
    secret = (is_group and os.environ.get("WAXWING_GROUP_TOKEN")) or os.environ.get("WAXWING_API_KEY", "")
    if url and not url.startswith(("https://", "http://")):
        print("WAXWING_RELAY has to begin with https://, or with http:// on this computer.", file=sys.stderr)
        return 2
    if not url or not secret:
        print("Set WAXWING_RELAY, and WAXWING_API_KEY or, for a group, WAXWING_GROUP_TOKEN.", file=sys.stderr)
        return 2
    if len(rest) != 2 or not 1 <= len(rest[1].encode("utf-8")) <= MAX_TEXT_BYTES:
        print("Give a handle, or --group and the id of a group, and a text of 1 to 16,384 bytes.", file=sys.stderr)
        return 2
    if is_token and not is_unsigned and not bot_key:
        print("Set WAXWING_BOT_KEY, which came with the token, or give --unsigned if the group allows that.", file=sys.stderr)
        return 2
    relay = Relay(url, secret)
    try:
        if is_group:
            # A bot signs only posts with a group token.
            answer = send_to_group(relay, *rest, read_bot_key(bot_key) if bot_key else None)
        else:
            answer = send_to_person(relay, *rest)
    except (Refused, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps(answer, indent=2))
    # A device with a full queue does not matter while another one has a copy.
    if all(result["status"] == "rejected" for result in answer["results"]):
        print("The relay refused every copy.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
