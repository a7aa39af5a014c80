"""Claims that words alone do not carry: that there is no limit, that nothing is paid, and who pays."""

import re
from collections.abc import Mapping

from rag_variants.text.language import Language
from rag_variants_embedded.judge.read_sentence import ReadSentence

_ENDLESS: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:indefinite(?:ly)?|permanent(?:ly)?\b(?! (?:delet|remov|eras|clos|block))|for ?ever|perpetual(?:ly)?"
        r"|unlimited|limitless|eternal(?:ly)?|for good"
        r"|(?:no|without(?: an?| any)?) (?:\w+ )?(?:expir\w+|limits?|end date|maximum|cap)\b"
        r"|(?:never|(?:do|does|will) not|don't|doesn't|won't) (?:expires?|lapses?|runs? out"
        r"|(?:needs?|has|have|must)(?: to)?(?: be)? (?:replac|renew|chang)\w+))"
    ),
    "pl": re.compile(
        r"\b(?:bezterminow\w+|wieczn\w+|na zawsze|bez końca|nieograniczon\w+|nielimitowan\w+|bezlimitow\w+"
        r"|bez (?:\w+ )?(?:ogranicze\w+|limitu|terminu|daty)"
        r"|nie (?:ma(?:ją)?) (?:\w+ )?(?:termin\w+|limit\w+|ogranicze\w+|daty)"
        r"|nie (?:wygasa\w*|traci\w* ważności)|nigdy nie (?:wygas\w+|trac\w+|trzeba|wymaga\w*|musi\w*))"
    ),
    "zh": re.compile(
        "永久|永远(?:有效|不会|不需|不用|无需|不必|不过期)|永不|无限|不限(?!于)|不会(?:过期|失效|到期)|长期有效|不过期"
        "|(?:没有|无|不设|不受)(?:任何)?(?:使用|时间|大小|有效|数量|次数)?(?:期限|有效期|限制|上限|到期日|过期时间)"
    ),
}
_FREE: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:free(?: of (?:charge|cost))?|gratis|complimentary|waived|for nothing"
        r"|(?:at )?no (?:extra )?(?:cost|charge|fee)s?|(?:pays?|costs?)(?: \w+){0,3} nothing"
        r"|without (?:charge|payment|paying)|(?:not|never|n't) (?:have to |need to |be )?(?:pay|cost|charged?))\b"
    ),
    "pl": re.compile(
        r"\b(?:bezpłatn\w+|darmow\w+|za darmo|gratis\w*|nieodpłatn\w+|bez (?:\w+ )?(?:opłat\w*|kosztów|dopłat\w*)"
        r"|nic (?:\w+ )?nie (?:płac\w+|zapłac\w+|kosztuje)|nie (?:płac\w+|zapłac\w+|kosztuje|pono\w+|trzeba płacić))"
    ),
    "zh": re.compile(
        "免费|无偿|赠送|免收|包邮|免运费|不收|不用付|无需付|无需支付|不必付|不要钱|不用花|不需要?(?:付|支付)|不花|零费用|不付|无需承担"
    ),
}
_PRICE = re.compile(
    r"[€$£¥]\s*\d|\d[\d., ]*\s*(?:[€$£¥]|(?:eur|euros?|usd|dollars?|pln|gbp|pounds?|zł|złotych)\b|欧元|美元|元|英镑)"
)
_ZERO = re.compile(r"[€$£¥]\s*0(?![.,\d])|(?<![\d.,])0\s*(?:[€$£¥]|eur|usd|pln|zł|dollar|pound|欧元|美元|元)")

_US_EN = (
    r"we|us|our (?:company|firm|team|side)|the (?:company|firm|seller|vendor|supplier|manufacturer|provider|landlord)"
)
_THEM_EN = r"you|(?:the |an? )?(?:customers?|clients?|buyers?|purchasers?|tenants?|users?|consumers?)"
_PAY_EN = r"pays?|paid|covers?|covered|bears?|borne|foots?"
_US_PL = r"my|firma|sprzedawca|sprzedający|dostawca|producent|wynajmujący|usługodawca"
_THEM_PL = r"klient|klienci|kupujący|nabywca|najemca|użytkownik|odbiorca|konsument"
_PAY_PL = r"(?:za|o)?płac(?:i|ą|imy)|pokrywa(?:ją|my)?|pono(?:si|szą|simy)"
_US_ZH, _THEM_ZH = "我们|我方|本公司|公司|商家|卖家|卖方|供应商|厂家", "客户|顾客|用户|买家|买方|消费者|您"
_PAY_ZH = "承担|支付|负担|付款|付费|出钱|付"


def _payers_en(who: str) -> str:
    return (
        rf"\b(?:{who})(?: (?:must|will|shall|has to|have to|always|also|only|themselves|usually))* (?:{_PAY_EN})\b"
        rf"|\b(?:{_PAY_EN}) (?:\w+ )?by (?:{who})\b"
    )


def _payers_pl(who: str) -> str:
    return rf"\b(?:{who})(?: (?:zawsze|sam|sami|musi|też|zwykle))* (?:{_PAY_PL})\b|\b(?:{_PAY_PL}) (?:{who})\b"


def _payers_zh(who: str) -> str:
    return rf"(?:{who})(?:须|应|必须|需要?|自行|全额|负责|来|将|会|要|全部)*(?:{_PAY_ZH})"


# Who pays: the side that sells, the side that buys.
_PAYERS: Mapping[Language, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "en": (
        re.compile(rf"{_payers_en(_US_EN)}|\bat our (?:own )?(?:expense|cost)\b|\bon us\b"),
        re.compile(rf"{_payers_en(_THEM_EN)}|\bat (?:the customer's|your)(?: own)? (?:expense|cost)\b"),
    ),
    "pl": (
        re.compile(rf"{_payers_pl(_US_PL)}|\b(?:(?:za|o)?płacimy|pokrywamy|ponosimy)\b|\bna nasz koszt\b"),
        re.compile(rf"{_payers_pl(_THEM_PL)}|\bna koszt (?:klienta|kupującego|najemcy|nabywcy)\b"),
    ),
    "zh": (re.compile(_payers_zh(_US_ZH)), re.compile(_payers_zh(_THEM_ZH))),
}


def terms_veto(statement: ReadSentence, evidence: ReadSentence) -> tuple[str | None, bool]:
    """The veto for a claim of no limit, of no price or of another payer, and whether the text says otherwise."""
    language = statement.language
    said, text = statement.text.casefold(), evidence.text.casefold()
    endless = _ENDLESS[language].search(said)
    if endless and not _ENDLESS[language].search(text):
        return f"bound: the statement says {endless.group()}, the text does not", bool(evidence.quantities)
    free, price = _FREE[language].search(said), _PRICE.search(text)
    if free and price and not _FREE[language].search(text) and not _PRICE.search(said) and not _ZERO.search(text):
        return f"opposite: the statement says {free.group()}, the text says {price.group().strip()}", True
    return (None, False) if free else _payer_veto(statement, evidence)


def _payer_veto(statement: ReadSentence, evidence: ReadSentence) -> tuple[str | None, bool]:
    """The veto if the statement names the one side as the payer, the text only the other."""
    if any("negators" in token.flags for token in (*statement.signs, *evidence.signs)):
        return None, False
    sides = _PAYERS[statement.language]
    said = [side.search(statement.text.casefold()) for side in sides]
    told = [side.search(evidence.text.casefold()) for side in sides]
    for mine, theirs in ((0, 1), (1, 0)):
        match, other = said[mine], told[theirs]
        if match and other and not said[theirs] and not told[mine]:
            return f"opposite: the statement says {match.group()}, the text says {other.group()}", True
    return None, False
