"""The smallest value of a schema, for a reply that is not there yet."""

from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel

M = TypeVar("M", bound=BaseModel)
_PLAIN: dict[Any, Any] = {int: 1, float: 1.0, bool: True}


def make_placeholder(schema: type[M], words: str) -> M:
    """A valid value: every list holds one item, every text is `words`, every choice is its last.

    Raises TypeError for a form that is not known.
    """
    fields = {name: _value(field.annotation, words) for name, field in schema.model_fields.items()}
    return schema.model_validate(fields)


def _value(form: Any, words: str) -> Any:
    if isinstance(form, type) and issubclass(form, BaseModel):
        return make_placeholder(form, words).model_dump()
    if form is str:
        return words
    if form in _PLAIN:
        return _PLAIN[form]
    if get_origin(form) is Annotated:
        return _value(get_args(form)[0], words)
    if get_origin(form) is list:
        return [_value(get_args(form)[0], words)]
    if get_origin(form) is Literal:
        return get_args(form)[-1]
    raise TypeError(f"no placeholder for {form}")
