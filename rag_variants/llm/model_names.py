"""Names under which models answer: an alias and what it stands for are one model, two versions are two."""

import re

# What an alias leaves out: gpt-4o-2024-08-06, gemini-embedding-001, bge-m3:latest, nomic-embed-text-v1.5.
_VERSION = re.compile(r"[-@:](\d{3,}[\d-]*|v\d[\w.]*|latest|(preview|exp)\b.*)")


def is_same_model(one: str, other: str) -> bool:
    """Whether two names mean one model, as far as names tell: alike but for case, folder, ending, version or date.

    `gpt-4o` and `gpt-4o-2024-08-06` are one; two dates, `qwen2` and `qwen2.5` are two.
    """
    shorter, longer = sorted((_bare(one), _bare(other)), key=len)
    if not longer.startswith(shorter):
        return False
    return longer == shorter or _VERSION.fullmatch(longer.removeprefix(shorter)) is not None


def _bare(name: str) -> str:
    return name.strip().casefold().rpartition("/")[2].removesuffix(".gguf").removesuffix(":latest")


def fuller_name(one: str, other: str) -> str:
    """Of two names for one model, the one that says more."""
    return max(one, other, key=lambda name: len(_bare(name)))
