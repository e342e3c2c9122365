"""Section 7 of docs/protocol.md, 'Rights' and 'Replay': what counts, and when."""

from .forms import DAY, MINUTE

LONGEST_RETENTION = 90 * DAY
REMEMBER = 135 * DAY
"""How long (`sender`, `id`) is remembered, in milliseconds: enough at every relay."""

UNSIGNED_KINDS = ("text", "attachment", "poll", "reaction", "edit", "delete")


def may_be_sent(proof, is_group, kind):
    """Whether a content counts. `proof`: `signed` by a device or by a `bot`; unsigned, and allowed: `api` or `token`."""
    if proof == "signed":
        return True
    return kind in UNSIGNED_KINDS and (is_group or proof == "api")


def is_timely(now, sent, retention):
    """Whether a message with these times counts. All in milliseconds; `retention` None: the relay has reported none."""
    kept = LONGEST_RETENTION if retention is None else min(retention, LONGEST_RETENTION)
    return now - sent <= kept + 15 * DAY and sent < now + DAY


def was_taken(taken, is_signed):
    """Whether a message counts as taken before, by the ways (`signed`, `unsigned`) in which it was."""
    return "signed" in taken or (not is_signed and "unsigned" in taken)


def received(now, reported, previous, last_end):
    """When a copy counts as received: not earlier than the one before, nor than the queue's last end, nor far ahead."""
    floor = [reported] if previous is None else [reported, previous]
    if last_end is not None:
        floor.append(last_end - 5 * MINUTE)
    return min(max(floor), now + DAY)
