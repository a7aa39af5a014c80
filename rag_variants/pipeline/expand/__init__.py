"""What is searched besides the question. To add a way: one file with its Expander, one line here, or an entry point."""

from rag_variants.errors import ModelError
from rag_variants.pipeline.expand.expander import Asked, Expander, Task
from rag_variants.pipeline.expand.feedback import FEEDBACK
from rag_variants.pipeline.expand.hyde import HYDE
from rag_variants.pipeline.expand.multi_query import MULTI_QUERY
from rag_variants.registry import Registry

__all__ = ["EXPANDERS", "OFF", "Asked", "Expander", "Task", "asks_model", "find_expander", "installed_expanders"]

OFF = "off"
EXPANDERS: Registry[Expander] = Registry(
    "expansion",
    "rag_variants.expanders",
    Expander,
    lambda expander: expander.word,
    (FEEDBACK, MULTI_QUERY, HYDE),
    frozenset({OFF}),
)


def find_expander(word: str) -> Expander | None:
    """The expander of a word; None for `off`. Raises ModelError for an unknown one."""
    if word == OFF:
        return None
    if word not in EXPANDERS:
        raise ModelError(EXPANDERS.unknown(word))
    return EXPANDERS[word]


def installed_expanders() -> tuple[str, ...]:
    """The words of other packages' expanders."""
    return tuple(word for word, expander in EXPANDERS.items() if expander not in EXPANDERS.built_in)


def asks_model(word: str) -> bool:
    """Whether an expansion is written by a chat model."""
    expander = find_expander(word)
    return expander is not None and expander.task is not None
