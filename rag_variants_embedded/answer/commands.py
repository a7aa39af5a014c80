"""Text inside a document that gives orders to a machine: never an answer."""

import re

from rag_variants.text.terms import normalize

_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:all|other|previous|above|prior|earlier"
    r"|instructions?|rules?|pages?|context)\b"
    r"|\b(?:tell|answer|reply to|respond to)\s+(?:to\s+)?(?:everyone|everybody|anyone|every question|all questions)\b"
    r"|\bwhen (?:you are )?asked (?:about|for|whether)\b|\balways (?:state|answer|reply|respond|claim)\b"
    r"|\b(?:system (?:prompt|note|message)|as an ai|ai assistants?|language models?|you are now)\b"
    r"|\b(?:zignoruj|ignoruj|pomiń|zapomnij)\w*\b.{0,40}\b(?:wszystk|poprzedni|powyższ|instrukcj|polece"
    r"|cennik|zasad|regulamin|inne)"
    r"|\bna (?:każde|wszystkie) pytani\w+ (?:odpowiad|odpowiedz)|\bzawsze odpowiadaj\w*|\basystent\w+ ai\b"
    r"|\bmodel\w* językow\w+\b"
    r"|(?:忽略|无视|忘记|不要理会).{0,20}(?:指令|规定|规则|说明|以上|之前|其他|内容)|(?:一律|统一|总是|始终"
    r"|都要?)(?:回答|回复|答复)"
    r"|ai\s*助手|人工智能助手|语言模型|系统提示"
)


def is_command(text: str) -> bool:
    """Whether a sentence tells an answering machine what to do, rather than telling a reader something."""
    return bool(_ORDER.search(normalize(text)))
