"""What is typed or stands in a link: used, or refused in a sentence."""

from hypothesis import given
from hypothesis import strategies as st

from rag_variants.evaluation.gates.requirements import Requirement, read_requirement
from rag_variants.llm.address import read_address
from rag_variants.metrics import METRICS, choose_metrics
from rag_variants.pipeline import VARIANTS, print_variant, read_variant
from rag_variants.pipeline.setting import settings_of
from rag_variants.ui.url import NAMES, print_selection, read_selection
from tests.fuzz.inputs import ODD, Refused, outcome, texts

SETTINGS = sorted({name for kind in VARIANTS.values() for name in settings_of(kind())})
USUAL = ["on", "off", "5", "0.5", "embedded", "current"]
set_to = st.one_of(texts, st.integers().map(str), st.floats().map(str), st.sampled_from(USUAL))
written = st.builds(
    lambda name, pairs: name + ":" + ",".join(f"{key}={value}" for key, value in pairs),
    st.sampled_from([*VARIANTS, "bm25", ""]),
    st.lists(st.tuples(st.sampled_from([*SETTINGS, "x"]), set_to), max_size=4),
)


@given(text=st.one_of(texts, written))
def test_any_spec_is_a_variant_that_prints_back_or_a_sentence(text: str) -> None:
    variant = outcome(read_variant, text)
    assert isinstance(variant, Refused) or read_variant(print_variant(variant)) == variant


@given(text=texts)
def test_any_requirement_and_list_of_metrics(text: str) -> None:
    assert isinstance(outcome(read_requirement, text), (Refused, Requirement))
    chosen = outcome(choose_metrics, text)
    assert isinstance(chosen, Refused) or (chosen and all(metric in METRICS.values() for metric in chosen))


PARTS = ["https://", "http:/", "://", "user:key@", "[::1]", "[", "]", ":99999", ":80", "/v1", "?api-version=1",
         "?key=secret", "#", "host", "例子.测试", "xn--", *ODD]  # fmt: skip


@given(text=st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=4)), max_size=8).map("".join))
def test_any_address_is_a_web_address_or_a_sentence_without_its_key(text: str) -> None:
    found = outcome(read_address, text, "the address of mine")
    assert "secret" not in str(found)
    assert isinstance(found, Refused) or found[0].startswith(("http://", "https://"))


@given(found=st.dictionaries(st.sampled_from(sorted(NAMES.values())), st.one_of(texts, written), max_size=6))
def test_any_link_gives_a_selection_that_prints_back(found: dict[str, str]) -> None:
    selection, problems = read_selection(found)
    assert all(each.startswith("The link's ") for each in problems)
    again, _ = read_selection(print_selection(selection))
    assert (again.a, again.b, again.metrics, again.slice) == (
        selection.a, selection.b, selection.metrics, selection.slice,
    )  # fmt: skip
