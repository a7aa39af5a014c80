"""A question → the parts that each want an answer of their own."""

import re

# A new part begins after one of these, where a question word follows.
_SEAM = re.compile(
    r"(?<=[?？!！。;；])\s*"
    r"|(?<=\w{3}[.])\s+(?=(?-i:[A-ZĄĆĘŁŃÓŚŹŻ]))"
    r"|,?\s+(?-i:and|or|but|an|i|oraz|a|ale)\s+(?=(?:for |by |at |in |on |to |from |na |w |od |do |po |z )?"
    r"(?:what|how|who|whom|whose|when|which|where|why|is|are|do|does|did|can|may|must|if not"
    r"|co|czy|ile|ilu|kiedy|gdzie|jak|jaki|jaka|jakie|kto|komu|czym|która|który|które|dlaczego)\b)"
    r"|[，,]\s*(?=[^，,]*(?:什么|多少|多久|几|谁|哪|怎|吗|如何|能不能|是否|还能))",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"[?？]|\b(?:what|how|who|whom|whose|when|which|where|why)\b|^\s*(?:is|are|do|does|did|can|may|must)\b"
    r"|\b(?:co|czy|ile|ilu|kiedy|gdzie|jak|jaki|jaka|jakie|jakim|kto|komu|czym|która|który|dlaczego)\b"
    r"|什么|多少|多久|几|谁|哪|怎|吗|如何|能不能|是否|还能",
    re.IGNORECASE,
)


def question_parts(question: str) -> tuple[str, ...]:
    """The clauses that ask, in order; the whole question if it has one at most. Clauses that only tell are left out."""
    pieces = [piece.strip() for piece in _SEAM.split(question)]
    asking = tuple(piece for piece in pieces if piece and _ASKING.search(piece))
    return asking if len(asking) > 1 else (question.strip(),)
