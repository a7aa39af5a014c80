"""The embedded judge behind ragas' interface, with scripted verdicts on statements."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from rag_variants.errors import ModelError
from rag_variants.judges.base import Judge
from rag_variants.judges.centred import CentredEmbedding
from rag_variants.judges.ragas_llm import AnswerRelevanceInput, CarriedPrompt, ClaimDecompositionOutput
from rag_variants.llm.declining import DECLINING, says_declining
from rag_variants.metrics import METRICS
from rag_variants.text.citations import strip_citations
from rag_variants.text.sentences import split_sentences
from rag_variants.types import Answer
from rag_variants_embedded.judge.judge import EmbeddedJudge
from tests.scripted import make_subject, score


@dataclass(frozen=True)
class Found:
    label: str
    sentence: str | None = None
    veto: str | None = None
    score: float = 0.0


@dataclass
class StandIn:
    """Supports a statement that stands word by word in one context; a statement with `maybe` is unsure."""

    seen: list[tuple[str, ...]] = field(default_factory=list)
    languages: set[str] = field(default_factory=set)

    def judge(self, statement, contexts, question, language):
        self.seen.append(tuple(contexts))
        self.languages.add(language)
        if "maybe" in statement:
            return Found("unsure", contexts[0])
        if "30" in statement:
            return Found("contradicted", contexts[0], "the number 30 is not 14")
        holding = [context for context in contexts if statement in context]
        return Found("supported", holding[0]) if holding else Found("missing")


class TwoNumbers:
    """Counts of two letters; every text shares a large part, as e5's vectors do."""

    name, version = "embedded:test", "1"

    def embed_passages(self, texts):
        rows = np.array([[10.0, text.count("a"), text.count("b")] for text in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    embed_queries = embed_passages


def split(answer, question, language):
    return [sentence.text for sentence in split_sentences(strip_citations(answer), language)]


CENTRE = TwoNumbers().embed_passages(["aaaa", "bbbb"]).mean(axis=0)


@pytest.fixture
def support():
    return StandIn()


@pytest.fixture
def judge(support) -> Judge:
    return EmbeddedJudge(support, split, TwoNumbers(), CENTRE, {"support": "7"})


def test_faithfulness_reads_each_chunk_by_itself(judge, support):
    subject = make_subject("One.\nTwo.", "Three.", answer="One. Three [1]. It is 30.", judge=judge)
    made = score(METRICS["faithfulness"], subject)

    assert made.value == pytest.approx(2 / 3, abs=1e-9)
    assert set(support.seen) == {("One.\nTwo.", "Three.")}
    assert [claim["label"] for claim in made.detail["claims"]] == ["supported", "supported", "contradicted"]
    assert made.detail["claims"][2]["veto"] == "the number 30 is not 14"
    assert made.detail["claims"][2]["reason"] == "Contradicted: the number 30 is not 14"


def test_context_precision_a_chunk_alone_supports_a_statement(judge, support):
    subject = make_subject("Noise.", "One.", "Two.", reference="One. Two. It is maybe.", judge=judge)
    made = score(METRICS["context_precision"], subject)

    assert made.value == pytest.approx((1 / 2 + 2 / 3) / 2, abs=1e-9)
    assert [entry["label"] for entry in made.detail["verdicts"]] == ["unsure", "supported", "supported"]
    assert set(support.seen) == {("Noise.",), ("One.",), ("Two.",)}


def test_the_same_chunk_has_the_same_verdict_in_any_list(judge):
    def verdict_of_one(*texts):
        made = score(METRICS["context_precision"], make_subject(*texts, reference="One. Three.", judge=judge))
        entries = made.detail["verdicts"]
        return {key: entries[texts.index("One.")][key] for key in ("verdict", "label", "sentence", "veto")}

    assert verdict_of_one("One.") == verdict_of_one("Three.", "One.") == verdict_of_one("x", "y", "One.", "Three.")


def test_context_recall_and_its_ends(judge):
    made = score(METRICS["context_recall"], make_subject("One.", reference="One. Two. It is maybe.", judge=judge))

    assert made.value == pytest.approx(1 / 3, abs=1e-9)
    assert made.detail["lenient"] == pytest.approx(2 / 3, abs=1e-9)


def test_topic_closeness_compares_the_answer_itself_once(judge):
    made = score(METRICS["answer_relevancy"], make_subject("x", user_input="aaa", answer="aaa [1]", judge=judge))

    assert made.value == pytest.approx(1.0)
    assert [each["question"] for each in made.detail["questions"]] == ["aaa"]


def test_centred_vectors_spread(judge):
    made = score(METRICS["answer_relevancy"], make_subject("x", user_input="aaaa", answer="bbbb", judge=judge))

    assert made.value < 0
    assert made.error is None


@pytest.mark.parametrize("sentence", [*DECLINING.values(), "  i could not find this\nin the documents"])
def test_a_known_declining_sentence_is_noncommittal(judge, sentence):
    made = score(METRICS["answer_relevancy"], make_subject("x", answer=sentence, judge=judge))

    assert (made.value, made.detail["questions"][0]["noncommittal"]) == (0.0, 1)
    faithful = score(METRICS["faithfulness"], make_subject("x", answer=sentence, judge=judge))
    assert (faithful.value, faithful.reason) == (None, "no claims to check")
    assert not says_declining(f"{sentence} But it is 14 days.")


def test_the_answerers_own_word_counts(judge):
    subject = make_subject("x", answer=Answer("No idea.", declined=True), judge=judge)
    llm = judge.open(subject.record)
    prompt = CarriedPrompt("", AnswerRelevanceInput(response="No idea."))

    from rag_variants.judges.ragas_llm import AnswerRelevanceOutput

    assert llm.generate(prompt, AnswerRelevanceOutput).noncommittal == 1


def test_nothing_retrieved_is_missing_without_asking(judge, support):
    made = score(METRICS["faithfulness"], make_subject(answer="One.", judge=judge))

    assert (made.value, made.detail["claims"][0]["label"]) == (0.0, "missing")
    assert support.seen == []


def test_the_language_is_the_questions(judge, support):
    score(METRICS["context_recall"], make_subject("x", reference="One.", judge=judge, tags=(("language", "pl"),)))

    assert support.languages == {"pl"}


def test_what_it_cannot_do_is_not_scored(judge):
    made = score(METRICS["factual_correctness"], make_subject("x", answer="One.", reference="One.", judge=judge))

    assert (made.value, made.error) == (None, None)
    assert made.reason.startswith("the embedded judge is built")


def test_a_prompt_without_data_is_refused(judge):
    llm = judge.open(make_subject("x").record)

    with pytest.raises(ModelError, match="Choose a chat model"):
        llm.generate("Is it so?", ClaimDecompositionOutput)


def test_settings_name_everything_that_can_change_a_verdict(judge):
    settings = judge.settings

    assert (settings["support"], settings["embeddings"], settings["embeddings_version"]) == ("7", "embedded:test", "1")
    assert judge.spec == settings["judge"] == "embedded"


def test_vectors_have_unit_length_alone_and_in_a_batch():
    embedding = CentredEmbedding(TwoNumbers(), CENTRE)
    rows = embedding.embed_texts(["aaa", "bb", "aaa"])

    assert np.linalg.norm(rows, axis=1) == pytest.approx([1.0, 1.0, 1.0])
    assert rows[0] == rows[2] == embedding.embed_text("aaa")
    assert embedding.embed_texts([]) == []


def test_a_base_without_sentences_has_no_centre():
    assert CentredEmbedding(TwoNumbers(), None).embed_text("aaa") == pytest.approx(
        list(TwoNumbers().embed_passages(["aaa"])[0])
    )
