"""The judge's verdicts on chunks beside the gold marks: a check on one's own documents that costs nothing."""

from dataclasses import replace

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.judging.gold_check import METRIC, check_gold
from rag_variants.report.judging import differing_words, gold_sentence, gold_table, language_rows, means_sentence
from rag_variants.ui.frame import PAGES, draw_page_link
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection

MEANING = (
    "A gold mark says that a chunk holds the quoted evidence; the judge says whether the chunk helps to arrive at the "
    "reference. They may differ where neither is wrong: another place can say the same, or the quote is one of several "
    "that are needed. Look at those below before you blame the judge."
)


def draw_gold(comparison: Comparison, selection: Selection) -> None:
    """The 2×2 table, by language, both means, and the chunks on which they differ."""
    st.markdown(":material/verified: **Beside the gold marks**: a free check on your own documents")
    check = check_gold(comparison)
    if check is None:
        st.caption("It needs questions with evidence, and context precision among the metrics of the run.")
        return
    st.markdown(as_typed(gold_sentence(check, comparison.judge)))
    if words := means_sentence(check):
        st.text(words)
    table, languages = st.columns(2, gap="medium")
    table.table(gold_table(check.agreement), border="horizontal", hide_index=True)
    if check.by_language:
        languages.table(language_rows(check), border="horizontal", hide_index=True)
    st.caption(MEANING)
    if not check.differing:
        return
    part = f", {check.part} of them touch the evidence" if check.part else ""
    with st.expander(f"Chunks on which they differ: {len(check.differing)}{part}"):
        for question in dict.fromkeys(each.question_id for each in check.differing):
            found = [each for each in check.differing if each.question_id == question]
            opened = replace(selection, question=question, metric=METRIC)
            draw_page_link(PAGES["Question"], as_typed(f"{question} · {found[0].question}"), opened)
            with st.container(key=f"quiet gold {question}"):
                st.text("\n".join(differing_words(each) for each in found))
