"""Sections 14 and 15 of docs/protocol.md: calls of a relay, and what counts as an answer."""

import email.utils
import json
import time
import urllib.error
import urllib.parse
import urllib.request

from .forms import DAY, Malformed, depth, require

TIMEOUT = 60
"""Seconds. A poll is held for up to 30."""

LONGEST_WAIT = 10
"""Seconds. A call that may come again sooner (429) is made again; a longer wait is for the caller to decide."""

LONGEST_ANSWER = 24 * 1024 * 1024
DEEPEST_ANSWER = 16


class Problem(Exception):
    """What a relay refuses: `status`, `code` and `reason` of RFC 9457's problem+json."""

    def __init__(self, status, body):
        super().__init__(f'{status} {body.get("code")}: {body.get("detail")}')
        self.status = status
        self.code = body.get("code")
        self.reason = body.get("reason")


class WrongClock(Exception):
    """The clocks of the relay and of this machine are more than a day apart: nothing is sent or taken."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is no answer of the API."""

    def redirect_request(self, *_):
        return None


class Relay:
    """A relay at a base URL. `domain` is what a login to it must name."""

    def __init__(self, url):
        self._url = url.rstrip("/")
        self.domain = urllib.parse.urlsplit(self._url).netloc
        self._opener = urllib.request.build_opener(_NoRedirect)

    def call(self, method, path, body=None, *, token=None, statuses=(200,)):
        """Makes a call below /api/v1. Returns the JSON of its answer, None of an empty one.

        Raises Problem, OSError if the relay cannot be reached, Malformed if the answer is none, or WrongClock.
        """
        headers = {"Accept": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body).encode()
        request = urllib.request.Request(f"{self._url}/api/v1{path}", body, headers, method=method)
        for is_last in (False, False, True):
            try:
                with self._opener.open(request, timeout=TIMEOUT) as response:
                    return _read(response, statuses)
            except urllib.error.HTTPError as error:
                with error:
                    answer = _read(error, (error.code,))
                wait = error.headers.get("Retry-After", "")
                if error.code != 429 or is_last or not wait.isdecimal() or int(wait) > LONGEST_WAIT:
                    raise Problem(error.code, answer or {}) from None
                time.sleep(max(1, int(wait)))
        return None


def _read(response, statuses):
    """The JSON of an answer, held to its bounds."""
    require(response.status in statuses, f"status {response.status}")
    require(response.headers.get("Content-Encoding") is None, "a compressed answer")
    moment = email.utils.parsedate_to_datetime(response.headers["Date"])
    if abs(moment.timestamp() - time.time()) * 1000 > DAY:
        raise WrongClock
    data = response.read(LONGEST_ANSWER + 1)
    require(len(data) <= LONGEST_ANSWER, "an answer that is too long")
    if not data:
        return None
    try:
        answer = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Malformed("an answer that is no JSON") from error
    require(isinstance(answer, dict) and depth(answer) <= DEEPEST_ANSWER, "an answer in another form")
    return answer


def part(text):
    """A value in a path or a query."""
    return urllib.parse.quote(str(text), safe="")
