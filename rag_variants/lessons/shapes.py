"""What one line of a lesson file may hold."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from rag_variants.lessons.lesson import Direction
from rag_variants.text.language import Language

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
TextsShape = Annotated[dict[Language, Text], Field(min_length=1)]


class PartShape(BaseModel):
    """Which questions: those with the tags' values, or those with the ids."""

    model_config = ConfigDict(extra="forbid")

    tags: dict[str, Text | list[Text]] = {}
    ids: list[Text] = []


class LessonShape(BaseModel):
    """One line of a lesson file."""

    model_config = ConfigDict(extra="forbid")

    id: Text
    chapter: TextsShape
    a: Text
    b: Text
    questions: PartShape
    metric: Text
    direction: Direction
    others: dict[str, Direction] = {}
    choose: list[Text] = []
    minutes: Annotated[int, Field(ge=1, le=120)] = 5
    show: Text | None = None
    encoder: Text | None = None
    title: TextsShape
    story: TextsShape
    ask: TextsShape
    takeaway: TextsShape
    explain: TextsShape
