"""The digest of a published sentence, by which a dump of rulings can be matched to our files.

>>> digest("An  example\\u2019s sentence. ") == digest("An example's sentence.")
True
"""

from __future__ import annotations

import hashlib
import unicodedata

__all__ = ["digest", "normal_form"]

_STRAIGHT = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})


def normal_form(sentence: str) -> str:
    """Give a sentence after Unicode NFKC, with straight quotes, single spaces and trimmed ends.

    French angle quotes are no curly quotes and stay; NFKC makes a space of a no-break space.
    """
    return " ".join(unicodedata.normalize("NFKC", sentence).translate(_STRAIGHT).split())


def digest(sentence: str) -> str:
    """Give ``sha256:`` and 64 hexadecimal digits of a sentence's normal form in UTF-8."""
    return "sha256:" + hashlib.sha256(normal_form(sentence).encode("utf-8")).hexdigest()
