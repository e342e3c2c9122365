"""Section 3 of docs/protocol.md: how values stand in JSON and in signed bytes.

Every function that reads a value raises Malformed for any other form: reject, never repair.
"""

import base64
import datetime
import json
import math
import re

DAY = 86_400_000
"""Milliseconds."""

MINUTE = 60_000
"""Milliseconds."""


class Malformed(ValueError):
    """A value that has not the form that the protocol gives it."""


def require(holds, what):
    """Raises Malformed unless `holds`."""
    if not holds:
        raise Malformed(what)


def b64(data):
    """Bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text, size=None):
    """The bytes of canonical base64url, `size` of them if that is given."""
    require(isinstance(text, str) and re.fullmatch(r"[A-Za-z0-9_-]*", text) and len(text) % 4 != 1, "base64url")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    require(b64(data) == text, "base64url: the unused bits are not 0")
    require(size is None or len(data) == size, f"not {size} bytes")
    return data


def wire_address(text):
    """An address as it stands on the wire, in lower case."""
    require(isinstance(text, str) and re.fullmatch(r"0x[0-9a-f]{40}", text), "address")
    return text


def address_bytes(text):
    """The 20 bytes of an address on the wire."""
    return bytes.fromhex(wire_address(text)[2:])


def relay_id(value):
    """An opaque id that a relay made."""
    require(isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9_-]{1,128}", value), "id")
    return value


def time_ms(text):
    """A time in JSON, in milliseconds since 1970."""
    require(isinstance(text, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", text, re.ASCII), "time")
    try:
        moment = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc)
    except ValueError as error:
        raise Malformed("time") from error
    ms = (moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(milliseconds=1)
    require(ms >= 0 and time_text(ms) == text, "time")
    return ms


def time_text(ms):
    """Milliseconds since 1970 as a time in JSON."""
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=ms)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{ms % 1000:03}Z".rjust(24, "0")


def u32(value):
    """Four bytes, big-endian."""
    return value.to_bytes(4, "big")


def u64(value):
    """Eight bytes, big-endian."""
    return value.to_bytes(8, "big")


def whole(value, lowest, highest):
    """A whole number of JSON within bounds; 1.0 is the same number as 1."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    require(isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest, "number")
    return value


def sequence(value):
    """A u32 that begins at 1: of a device list, a seal key, an entry."""
    return whole(value, 1, 0xFFFFFFFF)


def text(value, longest):
    """`t(n)`: 1 to `longest` bytes of UTF-8, no control characters but LF and TAB, no half of a surrogate pair."""
    require(isinstance(value, str) and not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", value), "text")
    require(1 <= len(value.encode()) <= longest, "length of a text")
    return value


def characters(value, longest):
    """`c(n)`: 1 to `longest` code points, otherwise as `t(n)`."""
    require(len(text(value, 4 * longest)) <= longest, "length of a text")
    return value


def name_form(value):
    """`name`: `c(80)` without LF and TAB."""
    require(not re.search(r"[\n\t]", characters(value, 80)), "line")
    return value


DEEPEST = 32
"""How deep objects and lists are nested at most."""


def kind_name(value):
    """The name of a kind: 1 to 32 small letters, digits, dots and underscores."""
    require(isinstance(value, str) and re.fullmatch(r"[a-z0-9._]{1,32}", value), "kind")
    return value


def json_object(data):
    """The object that bytes are in JSON and UTF-8, with objects and lists at most 32 levels deep."""
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=lambda _: require(False, "no JSON"))
    except (ValueError, RecursionError) as error:
        raise Malformed("no JSON") from error
    require(isinstance(value, dict) and depth(value) <= DEEPEST, "no object, or too deep")
    return value


def depth(value):
    """How deep objects and lists are nested; the outermost counts as one."""
    levels, inner = 0, [value]
    while inner := [child for child in inner if isinstance(child, (dict, list))]:
        levels += 1
        inner = [one for child in inner for one in (child.values() if isinstance(child, dict) else child)]
    return levels


def js_number(value):
    """A number as JavaScript's JSON.stringify writes it (ECMA-262, Number::toString)."""
    value = float(value)
    if not math.isfinite(value):
        return "null"
    if value == 0:
        return "0"
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole_part, _, fraction = mantissa.partition(".")
    digits = (whole_part + fraction).lstrip("0")
    # `point` is where the decimal point stands, counted from the first digit that is not 0.
    point = len(whole_part) + int(exponent or 0) - (len(whole_part + fraction) - len(digits))
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        written = digits + "0" * (point - len(digits))
    elif 0 < point <= 21:
        written = f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        written = "0." + "0" * -point + digits
    else:
        rest = f".{digits[1:]}" if len(digits) > 1 else ""
        written = f'{digits[0]}{rest}e{"+" if point > 0 else "-"}{abs(point - 1)}'
    return "-" * (value < 0) + written


def js_string(value):
    """A text as JavaScript's JSON.stringify writes it."""
    short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    escaped = re.sub(r'["\\\x00-\x1f\ud800-\udfff]', lambda m: short.get(m[0], f"\\u{ord(m[0]):04x}"), value)
    return f'"{escaped}"'


def js_json(value):
    """What JavaScript's JSON.stringify writes for what JSON.parse has read: the one form of a roster entry."""
    if isinstance(value, dict):
        # JavaScript puts names that are array indexes first, in ascending order.
        indexes = {n for n in value if re.fullmatch("0|[1-9][0-9]*", n, re.ASCII) and int(n) < 2**32 - 1}
        names = sorted(indexes, key=int) + [name for name in value if name not in indexes]
        return "{" + ",".join(f"{js_string(name)}:{js_json(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(js_json(item) for item in value) + "]"
    if isinstance(value, str):
        return js_string(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return js_number(value)
