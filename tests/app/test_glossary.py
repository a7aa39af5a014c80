"""What the words mean, on every page and in the chosen language; A against A."""

import pytest
from streamlit.testing.v1 import AppTest

from rag_variants.evaluation.compare import compare_runs
from rag_variants.ui.text import as_typed
from rag_variants.ui.views.against_itself import itself_words
from rag_variants.wording.glossary import Glossary
from tests.app.conftest import APP, OpenPage
from tests.unit.evaluation.test_compare import make_run

PAGES = ("app.py", "pages/question.py", "pages/runs.py", "pages/knowledge.py")


def words_of(page: AppTest) -> str:
    return "\n".join(str(each.value) for each in page.markdown)


def table_of_metrics(page: AppTest) -> list[str]:
    (table,) = [each.value for each in page.table if "verdict" in each.value.columns]
    return list(table["metric"])


def test_the_explanations_of_the_numbers_follow_the_language(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page(base)
    english, polish = (Glossary(each).metric("evidence_recall") for each in ("en", "pl"))
    assert f"**Evidence recall**  \n{as_typed(english.line)}" in table_of_metrics(page)
    verdicts = [each.value["verdict"].tolist() for each in page.table if "verdict" in each.value.columns]
    page.segmented_control(key="language").set_value("pl").run()
    assert page.query_params["lang"] == ["pl"] or page.query_params["lang"] == "pl"
    rows = table_of_metrics(page)
    assert any(row.startswith(f"**{as_typed(polish.title)}**  \n{as_typed(polish.line)}") for row in rows)
    assert [each.value["verdict"].tolist() for each in page.table if "verdict" in each.value.columns] == verdicts


@pytest.mark.parametrize("file", PAGES)
def test_the_words_are_explained_on_the_page(file: str, base: dict[str, str]) -> None:
    page = AppTest.from_file(str(APP), default_timeout=120)
    if file != "app.py":
        page.switch_page(file)
    for name, value in {**base, "lang": "zh"}.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    shown, glossary = words_of(page), Glossary("zh")
    for term in (glossary.metric("mrr"), glossary.term("reading", "not_shown"), glossary.term("retrieval", "cut")):
        assert f"**{as_typed(term.title)}**: {as_typed(term.line)}" in shown


def test_a_against_a_shows_no_difference(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "a": "keyword:top_k=1", "b": "hybrid"})
    page.button(key="against itself").click().run()
    assert page.query_params["a"] == page.query_params["b"]
    said = " ".join(each.value for each in page.caption)
    assert "every difference is 0 and there is no verdict" in said
    assert "against itself" not in [button.key for button in page.button]


def test_a_difference_of_a_variant_with_itself_is_named() -> None:
    ids = [f"q{at}" for at in range(3)]
    a, b = ({"mrr": dict.fromkeys(ids, value)} for value in (0.5, 1.0))
    same = make_run(a)
    assert "every difference is 0" in itself_words(compare_runs(same, same))
    assert "difference in Reciprocal rank" in itself_words(compare_runs(same, make_run(b)))
