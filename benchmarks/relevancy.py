"""Does answer relevancy without a key tell an answer from what is beside the point? `python -m benchmarks.relevancy`.

Prints the area under the curve by language: how often a question's own reference scores above (1) the reference of
another question in the same area and language, (2) a sentence of the same section that is not its evidence.
0.5 is chance, 1 is perfect.
"""

import re
from collections.abc import Iterator

from rag_variants.evaluation.plan import Plan, make_plan
from rag_variants.evaluation.sides import open_plan_judge
from rag_variants.pipeline.bench import open_bench
from rag_variants.text.language import as_language
from rag_variants.text.sentences import split_sentences
from rag_variants.types import Question

_HEADING = re.compile(r"^#{1,6}\s", re.MULTILINE)


def same_section(question: Question, plan: Plan) -> Iterator[str]:
    """Sentences of the section that holds the question's evidence, without the evidence."""
    quotes = [evidence.quote for evidence in question.evidence]
    for evidence in question.evidence:
        document = plan.knowledge.by_path[evidence.document]
        at = document.text.find(evidence.quote)
        bounds = [0, *(match.start() for match in _HEADING.finditer(document.text)), len(document.text)]
        start = max(bound for bound in bounds if bound <= at)
        end = min(bound for bound in bounds if bound > at)
        for sentence in split_sentences(document.text[start:end], as_language(document.language)):
            text = sentence.text
            if len(text) > 15 and not any(text in quote or quote in text for quote in quotes):
                yield text


def main() -> None:
    """Prints both areas under the curve by language."""
    plan = make_plan()
    judge = open_plan_judge(plan, open_bench(plan.knowledge))
    assert judge is not None, "the default metrics ask a judge"

    def closeness(question: Question, text: str) -> float:
        one, (other,) = judge.embeddings.embed_text(question.user_input), judge.embeddings.embed_texts([text])
        return float(sum(left * right for left, right in zip(one, other, strict=True)))

    asked = [question for question in plan.questions.questions if question.reference]
    for language in ("en", "pl", "zh"):
        pairs: dict[str, list[float]] = {"another question's answer": [], "beside the point": []}
        for question in (each for each in asked if each.tag("language") == language):
            own = closeness(question, question.reference or "")
            area = (question.tag("area"), language)
            others = [
                each.reference or ""
                for each in asked
                if each is not question and (each.tag("area"), each.tag("language")) == area
            ]
            for name, texts in (
                ("another question's answer", others),
                ("beside the point", same_section(question, plan)),
            ):
                pairs[name] += [
                    (own > found) + 0.5 * (own == found) for found in (closeness(question, t) for t in texts)
                ]
        print(language, *(f"· {name}: {sum(won) / len(won):.2f} (n {len(won)})" for name, won in pairs.items()))


if __name__ == "__main__":
    main()
