"""Section 7 of docs/protocol.md, 'Contents': the kinds that every client knows."""

import json
import re

from .devices import list_form
from .forms import Malformed, name_form, require, text, unb64
from .payload import fallback_of, newest
from .roster import entry_form, ticket_form

MESSAGES = ("text", "invite")


def judge(fields, is_group):
    """What becomes of a body: the name of its kind, `newer` (show its fallback) or `unknown` (keep it, show nothing)."""
    known = {"text": _text, "invite": _invite, "hello": _hello}.get(fields["kind"])
    try:
        require(known, "a kind that this client does not know")
        known(fields, is_group)
        return fields["kind"]
    except Malformed:
        return "unknown" if fallback_of(fields) is None else "newer"


def _text(fields, _is_group):
    text(fields.get("text"), 16_384)


def _invite(fields, is_group):
    require(not is_group, "an invitation is direct")
    unb64(fields.get("group"), 16)
    name_form(fields.get("name"))
    ticket_form(fields.get("ticket"))
    if "relay" in fields:
        origin(fields["relay"])


def _hello(fields, _is_group):
    newest(fields.get("list"), "sequence")
    if "group" in fields:
        unb64(fields["group"], 16)
    if "roster" in fields:
        newest(fields["roster"], "epoch")
    evidence = 0
    for name, form in (("lists", list_form), ("entries", entry_form)):
        items = fields.get(name, [])
        require(isinstance(items, list) and len(items) <= 8, name)
        for item in items:
            form(item)
        if name in fields:
            evidence += len(json.dumps(items, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))
    require(evidence <= 32_768, "lists and entries together")


def origin(value):
    """The origin of a relay (section 3), in the one form that the URL standard writes."""
    require(isinstance(value, str) and len(value) <= 267, "origin")
    parts = re.fullmatch(r"(https?)://(\[[0-9a-f:.]+\]|[a-z0-9._~-]+)(?::(0|[1-9][0-9]{0,4}))?", value, re.ASCII)
    require(parts, "origin")
    scheme, host, port = parts.groups()
    require(port is None or int(port) <= 65_535 and int(port) != (443 if scheme == "https" else 80), "port")
    is_local = host in ("localhost", "[::1]") or re.fullmatch(r"127(\.(0|[1-9]\d{0,2})){3}", host, re.ASCII)
    require(scheme == "https" or is_local, "http is for this machine only")
    return value
