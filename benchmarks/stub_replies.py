"""What the stub answers: replies for ragas' core four, embeddings, and faults by a seed; and what it counts."""

import hashlib
import json
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.stub import Answer, completion, embeddings, error, vector

QUESTIONS_AN_ANSWER = 3
SILENCE = 1.0  # seconds after which a client is expected to give up
_ANSWERING = re.compile(r"</chunk-[0-9a-f]+>\n\nQuestion: [^\n]+\Z")  # how our prompts for answers end
_STATEMENT = re.compile(r"Statement [0-9a-f]{8} (?:one|two)\.")


@dataclass
class Counts:
    """What came in since the last `/reset`, and when the first call came and the last reply went.

    `needed`: how often each distinct prompt has to be asked, by its fingerprint. Answer relevancy asks three times.
    """

    calls: int = 0
    now: int = 0
    most_at_once: int = 0
    needed: dict[str, int] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    first: float = 0.0
    last: float = 0.0
    spans: list[tuple[float, float]] = field(default_factory=list)

    def come(self, key: str, times: int, kind: str) -> None:
        """A call of that kind came in whose prompt is needed so many times."""
        self.first = self.first or time.perf_counter()
        self.calls += 1
        self.now += 1
        self.most_at_once = max(self.most_at_once, self.now)
        self.needed[fingerprint(key)] = times
        self.kinds[kind] += 1

    def go(self, came: float) -> None:
        """The reply went out to a call that came in then."""
        self.last = time.perf_counter()
        self.spans.append((max(0.0, came - self.first), self.last - self.first))
        self.now -= 1

    def summary(self) -> dict[str, Any]:
        """The figures; `spans` are seconds from the first call on."""
        return {
            "calls": self.calls,
            "needed": self.needed,
            "kinds": self.kinds,
            "seconds": self.last - self.first,
            "most_at_once": self.most_at_once,
            "spans": self.spans,
        }


def reply_to(prompt: str) -> tuple[str, dict[str, Any] | str]:
    """Which of ragas' questions a prompt asks, or `answer`; and a reply that depends on nothing but the prompt."""
    mark = fingerprint(prompt)[:8]
    if _ANSWERING.search(prompt):
        return "answer", f"It is {mark} [1]."
    verdict = int(mark, 16) % 3 and 1
    if "attributed" in prompt:
        return "recall", {"classifications": [{"statement": _reference(prompt), "reason": "so", "attributed": verdict}]}
    if "noncommittal" in prompt:
        return "relevancy", {"question": f"What is {mark}?", "noncommittal": 0}
    if "verdict" not in prompt:
        return "statements", {"statements": [f"Statement {mark} one.", f"Statement {mark} two."]}
    stated = list(dict.fromkeys(_STATEMENT.findall(prompt)))
    if stated:
        verdicts = [{"statement": each, "reason": "so", "verdict": verdict} for each in stated]
        return "verdicts", {"statements": verdicts}
    return "precision", {"reason": "so", "verdict": verdict}


def _reference(prompt: str) -> str:
    """The text that a prompt wants taken apart: the answer in the input at its end."""
    data, _ = json.JSONDecoder().raw_decode(prompt, prompt.rindex("\ninput: ") + len("\ninput: "))
    return str(data["answer"])


def prompt_of(body: dict[str, Any]) -> str:
    """The messages of a chat call as one text."""
    return "\n".join(str(turn["content"]) for turn in body["messages"])


def texts_of(body: dict[str, Any]) -> list[str]:
    """The texts of an embeddings call."""
    given = body["input"]
    return [given] if isinstance(given, str) else given


def fingerprint(text: str) -> str:
    """Under which a prompt is counted."""
    return hashlib.sha256(text.encode()).hexdigest()


def chat(body: dict[str, Any], counts: Counts) -> Answer:
    """A completion with as many choices as were asked for."""
    prompt = prompt_of(body)
    kind, reply = reply_to(prompt)
    choices = int(body.get("n") or 1)
    counts.come(prompt, QUESTIONS_AN_ANSWER if kind == "relevancy" and choices == 1 else 1, kind)
    text = reply if isinstance(reply, str) else json.dumps(reply)
    made = completion(text, id="c", object="chat.completion", created=1, model=body["model"])
    made.body["choices"] = [{**made.body["choices"][0], "index": at} for at in range(choices)]
    made.body["usage"] = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return made


def embed(body: dict[str, Any], counts: Counts) -> Answer:
    """One vector per text."""
    texts = texts_of(body)
    counts.come(json.dumps(texts), 1, "embeddings")
    made = embeddings([(at, vector(str(text), size=32)) for at, text in enumerate(texts)])
    made.body |= {"object": "list", "model": body["model"], "usage": {"prompt_tokens": 1, "total_tokens": 1}}
    return made


class Faults:
    """A tenth of the calls each: 429, 500, silence, a dropped connection, malformed JSON.

    Drawn from the seed, the call and how often it came before, so that the order of calls does not matter.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._came: Counter[bytes] = Counter()

    def draw(self, body: bytes) -> Answer | None:
        """What goes wrong with a call this time."""
        self._came[body] += 1
        draw = random.Random(f"{self._seed}:{self._came[body]}:{hashlib.sha256(body).hexdigest()}")
        garbled = [Answer(raw=b'{"choices": [{"mess')]
        if b'"messages"' in body:
            garbled.append(completion('{"verdict": '))
        faults = (
            error(429, retry_after="0.1"),
            error(500),
            Answer(hang=2 * SILENCE),
            Answer(drop=True),
            draw.choice(garbled),
        )
        return dict(enumerate(faults)).get(draw.randrange(10))
