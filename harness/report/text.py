"""Any text as text of a page: whatever an engine, a case or a path says is data, and never becomes markup."""

from __future__ import annotations

import hashlib
import re
import unicodedata

__all__ = ["clean", "folded", "page_path"]

_NONCHARACTERS = "\ufdd0-\ufdef" + "".join(
    chr(plane * 0x10000 + last) for plane in range(17) for last in (0xFFFE, 0xFFFF)
)
_UNFIT = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff{_NONCHARACTERS}]")
"""What HTML does not allow, and what would turn the writing around."""

_MARKS = re.compile("[\u0300-\u036f]")
_PLAIN = bytes((0x09, 0x0A, *range(0x20, 0x7F)))
_RULING = re.compile(r"[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)*\Z")


def clean(text: str) -> str:
    """The text with a mark for each character that no page may have."""
    # Nearly all of a page is plain: what is left without that is quickly searched.
    rest = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)
    if _UNFIT.search(rest.decode("utf-8", "surrogatepass")) is None:
        return text
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def folded(text: str) -> str:
    """The text as it is searched for: small letters without accents."""
    return _MARKS.sub("", unicodedata.normalize("NFKD", clean(text).casefold()))


def page_path(ruling: str, *, of_suite: bool = True) -> str:
    """Where a ruling's page is, under the site.

    One that is not of the suite comes from results, which anybody may write: its id is no path.
    """
    if of_suite and len(ruling) <= 150 and _RULING.match(ruling) and ".." not in ruling:
        return f"rulings/{ruling}.html"
    digest = hashlib.sha256(ruling.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return f"rulings/_other/{digest}.html"
