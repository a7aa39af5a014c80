"""Formats of documents and of question files as another package would bring them."""

from rag_variants.corpus.front_matter import FrontMatter
from rag_variants.corpus.knowledge import Skipped
from rag_variants.corpus.loaders import Loaded, Loader
from rag_variants.questions.importers import Importer
from rag_variants.questions.table import Table, TableRow


def _shout(data: bytes, path: str) -> Loaded:
    if not data.startswith(b"SHOUT "):
        raise ValueError("it does not shout")
    return Loaded(data[6:].decode().lower() + "\r\nend\x00", FrontMatter(title=path.upper()), ("it was loud",))


def _break(data: bytes, path: object) -> Loaded:
    raise KeyError("page")


SHOUTED = Loader("shouted", (".shout",), _shout)
BROKEN = Loader("broken", (".shout",), _break)
NO_TEXT = Loader("no text", (".shout",), lambda data, path: data.decode())
TAKEN = Loader("second", (".new", ".md"), _shout)
TAKEN_NAME = Loader("markdown", (".markdown",), _shout)
BAD_ENDING = Loader("bad", ("shout",), _shout)
NO_ENDING = Loader("none", (), _shout)


def _pairs(data: bytes, path: object) -> Table:
    """One question a line, `id = question`."""
    rows, skipped = [], []
    for number, line in enumerate(data.decode().splitlines(), 1):
        name, sign, question = line.partition(" = ")
        if sign:
            rows.append(TableRow(f"line {number}", len(rows) + 1, {"id": name, "question": question}))
        else:
            skipped.append(Skipped(f"line {number}", "it has no equals sign; write id = question"))
    return Table(("id", "question"), tuple(rows), tuple(skipped), ("read as pairs",))


def _refuse(data: bytes, path: object) -> Table:
    raise ValueError("its sheet is locked.")


PAIRS = Importer("pairs", (".pairs",), _pairs)
REFUSING = Importer("pairs", (".pairs",), _refuse)
BREAKING = Importer("pairs", (".pairs",), _break)
NO_TABLE = Importer("pairs", (".pairs",), lambda data, path: [])
TAKEN_ENDING = Importer("second", (".csv",), _pairs)
