"""The digest of a published sentence. The sentences here are ours."""

from __future__ import annotations

import hashlib

import pytest
from judgecall.schema.digest import digest, normal_form


@pytest.mark.parametrize(
    ("sentence", "normal"),
    [
        ("A plain one.", "A plain one."),
        ("  Spaces\t\n all\r\n over \u2003 it ", "Spaces all over it"),
        ("It\u2019s \u201cquoted\u201d and \u2018so\u2019", "It's \"quoted\" and 'so'"),
        ("L\u2019\u00e9ph\u00e9m\u00e8re\u00a0: \u00ab\u202foui\u202f\u00bb", "L'éphémère : « oui »"),
        ("e\u0301", "é"),
        ("\ufb01ne \u2163 \uff21", "fine IV A"),
        ("wait\u2026", "wait..."),
        ("", ""),
    ],
)
def test_normal_form(sentence: str, normal: str) -> None:
    assert normal_form(sentence) == normal
    assert digest(sentence) == "sha256:" + hashlib.sha256(normal.encode()).hexdigest()


def test_a_known_digest() -> None:
    assert digest("abc") == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_words_matter() -> None:
    assert digest("One sentence.") != digest("One sentence")
