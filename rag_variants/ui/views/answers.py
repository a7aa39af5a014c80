"""Both answers word by word, against each other or the reference; facts found and missing; every claim."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.report.differing_words import Piece, mark_differences
from rag_variants.report.score_words import entry_words
from rag_variants.types import Question
from rag_variants.ui.controls import BADGES
from rag_variants.ui.text import as_typed
from rag_variants.ui.views.difference_markup import CSS, mark_words_up
from rag_variants.ui.views.faults import draw_key

EACH_OTHER, REFERENCE = "each other", "the reference"
_ICONS = {"supported": "check", "contradicted": "close", "missing": "remove", "unsure": "question_mark"}


def draw_answers(question: Question, left: ScoredRecord, right: ScoredRecord) -> None:
    """The answers with what differs marked, and what they had to say or to leave out."""
    with st.container(border=True):
        st.html(f"<style>{CSS}</style>")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Answers**: words that differ are marked")
            against = _draw_choice(question)
        texts = [_text(left), _text(right)]
        if against == REFERENCE and question.reference:
            for side, row, text in zip("ab", (left, right), texts, strict=True):
                own, reference = mark_differences(text, question.reference)
                _draw_answer(side, row, own)
                _draw_reference(reference, f"Reference, with what {side.upper()} does not say marked")
        else:
            for side, row, own in zip("ab", (left, right), mark_differences(*texts), strict=True):
                _draw_answer(side, row, own)
            _draw_same(left, right, texts)
        _draw_facts(left, right)


def draw_claims(left: ScoredRecord, right: ScoredRecord) -> None:
    """Every claim of both answers with the judge's word on it, its sentence and its veto."""
    with st.container(border=True):
        st.markdown("**Claims** of each answer, judged against the chunks that it was given")
        for column, side, row in zip(st.columns(2, gap="medium"), "ab", (left, right), strict=True):
            with column:
                _draw_claims(side, row)


def verdict_badge(entry: Mapping[str, Any]) -> str:
    """The judge's word on a claim as a grey badge with a sign: supported, contradicted, missing or unsure."""
    label = str(entry.get("label") or ("supported" if entry["verdict"] else "not supported"))
    return f":gray-badge[:material/{_ICONS.get(label, 'check' if entry['verdict'] else 'close')}: {as_typed(label)}]"


def evidence_words(entry: Mapping[str, Any]) -> str:
    """The sentence that a verdict rests on and what speaks against it; "" if the judge named neither."""
    lines = entry_words({**entry, "statement": ""}).splitlines()[1:]
    if not lines and entry.get("reason"):
        return f"reason: {entry['reason']}"
    return "\n".join(line.strip() for line in lines)


def _draw_choice(question: Question) -> str:
    if not question.reference:
        return EACH_OTHER
    chosen = st.segmented_control(
        "Compared with", [EACH_OTHER, REFERENCE], default=EACH_OTHER, required=True, key="answers against",
        label_visibility="collapsed", format_func=lambda each: f"against {each}",
    )  # fmt: skip
    return str(chosen or EACH_OTHER)


def _text(row: ScoredRecord) -> str:
    return row.record.answer.text if row.record.answer and not row.record.error else ""


def _draw_answer(side: str, row: ScoredRecord, pieces: Sequence[Piece]) -> None:
    answer = row.record.answer
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(f"{BADGES[side]} **answers**", width="content")
        if answer and answer.declined:
            st.markdown(":gray-badge[declined]", width="content")
        if answer and answer.simulated:
            st.markdown(":gray-badge[simulated]", width="content")
    if row.record.error:
        st.text(f"No answer: {row.record.error}")
    elif answer is None:
        st.text("No answer was made.")
    else:
        st.html(mark_words_up(pieces, "a" if side == "a" else "b"))
        if answer.simulated:
            draw_key(side, row)


def _draw_reference(pieces: Sequence[Piece], caption: str) -> None:
    st.caption(caption)
    st.html(mark_words_up(pieces, "reference"))


def _draw_same(left: ScoredRecord, right: ScoredRecord, texts: Sequence[str]) -> None:
    both = left.record.answer and right.record.answer and not (left.record.error or right.record.error)
    if both and texts[0] == texts[1]:
        st.caption("Both answers are the same, word for word.")


def _draw_facts(left: ScoredRecord, right: ScoredRecord) -> None:
    """Key facts and forbidden strings, one line each, side by side."""
    lines = list(_fact_lines(left, right))
    if lines:
        st.markdown("\n".join(f"- {line}" for line in lines))


def _fact_lines(left: ScoredRecord, right: ScoredRecord) -> list[str]:
    lines = []
    if "key_facts" in left.scores:
        expected = [alternatives for alternatives in left.record.question.answer_keys if alternatives]
        for at, alternatives in enumerate(expected):
            words = " / ".join(as_typed(each) for each in alternatives[:4])
            a, b = (_found(row, at) for row in (left, right))
            lines.append(f"Key fact “{words}”: {BADGES['a']} {a} · {BADGES['b']} {b}")
    if "avoids" in left.scores:
        lines += [_forbidden(text, left, right) for text in left.record.question.avoid]
    return lines


def _found(row: ScoredRecord, at: int) -> str:
    """Which alternative of the expected fact stands in the answer; the reason where none was looked for."""
    score = row.scores["key_facts"]
    facts = (score.detail or {}).get("facts", ())
    if at >= len(facts):
        return f"– {as_typed(score.error or score.reason or 'not looked for')}"
    return "– missing" if facts[at]["found"] is None else f"✓ “{as_typed(facts[at]['found'])}”"


def _forbidden(text: str, left: ScoredRecord, right: ScoredRecord) -> str:
    said = [text in (row.scores["avoids"].detail or {}).get("found", ()) for row in (left, right)]
    words = ["✗ says it" if each else "✓ does not say it" for each in said]
    return f"Must not be said “{as_typed(text)}”: {BADGES['a']} {words[0]} · {BADGES['b']} {words[1]}"


def _draw_claims(side: str, row: ScoredRecord) -> None:
    score = row.scores["faithfulness"]
    claims = (score.detail or {}).get("claims", ())
    st.markdown(f"{BADGES[side]} {len(claims)} claim{'' if len(claims) == 1 else 's'}")
    if not claims:
        st.text(score.error or score.reason or "no claims")
    for at, claim in enumerate(claims):
        with st.container(gap="xxsmall"):
            with st.container(horizontal=True, gap="small"):
                st.markdown(verdict_badge(claim), width="content")
                st.text(str(claim["statement"]), width="stretch")
            evidence = evidence_words(claim)
            if evidence:
                with st.container(key=f"quiet claim {side} {at}"):
                    st.text(evidence)
