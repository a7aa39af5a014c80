"""A sentence → its denial, in patterns where adding or taking away `not`, `nie` or `不` stays grammatical."""

import re
from random import Random

from rag_variants.text.language import Language

# Words that deny already, or that read otherwise beside a negation.
_DENYING = {
    "en": r"\b(?:not|no|nor|never|none|nobody|nothing|neither|without|unless|until|cannot|hardly|any\w*|ever|yet|either"
    r"|but|only|alone|once)\b|n['’]t\b",
    "pl": r"\b(?:nie|ani|nikt|nikogo|nikomu|nic|niczego|nigdy|nigdzie|żad\w+|bez|dopóki|zanim|jeszcze|już"
    r"|tylko|wyłącznie|także|również|też)\b|, a\b",
    "zh": r"[只仅不没无未非勿莫否]|禁止|避免|除|才|都|也",
}
_ENGLISH_VERB = r"is|are|was|were|can|could|must|may|might|should|will|would|does|do|did|has been|have been"
# Verbs whose objects do not change their case under a negation (or are in the genitive already), and `be` before a
# predicate; elsewhere `nie` would want another form of the noun.
_POLISH_VERB = (
    r"wymaga(?:ją)?|dotycz[yą]|podlega(?:ją)?|działa(?:ją)?|obowiązuj[eą]|wygasa(?:ją)?|przysługuj[eą]"
    r"|(?:wynosi|wynoszą|trwa|trwają|kosztuje|kosztują)(?= (?:\d*[05-9]|\d+1|1\d)(?!\d))"
    r"|wystarcz(?:a|ą|y|ają)|zależ[yą]|(?:odbywa(?:ją)?|znajduj[eą]|zaczyna(?:ją)?|kończ[yą]) się"
    r"|(?:może|mogą|musi|muszą|powinien|powinna|powinno|powinny) (?:być|zostać)|oznacza(?=, że)"
    r"|(?:jest|są|był[aoy]?|będzie|będą|został[aoy]?|zostanie|zostaną)"
    r"(?= (?!stron|zmian|ścian|cen|dat|kart|kwot|ofert|opłat|granic)\w+(?:n[yaei]|t[yae]|ci|eni|w[yae])\b)"
)
_CHINESE_VERB = (
    r"可以|需要(?!时)|允许|属于|(?<=[台仪关统机版本端])支持(?![的由时团人服部电])|包括|包含|适用于|会(?=被|自动|再|影响)"
    r"|(?<![分认作成称视定])为(?=\d)|收取"
)
_ADD = {
    "en": re.compile(r"\b(?:is|are|was|were|can|could|must|may|might|should|will|would)\b"
                     r"(?! (?:only|also|just|there|to|how|why|what|when|where|who|that|the same|more|less)\b)(?=\s\w)"),
    "pl": re.compile(rf"\b(?:{_POLISH_VERB})(?!\w)(?! (?:tylko|także|również|też|wyłącznie))"),
    "zh": re.compile(_CHINESE_VERB),
}  # fmt: skip
_TAKE = {
    "en": re.compile(rf"\b({_ENGLISH_VERB}) not (?!only\b|just\b)|\b(can)not (?!only\b|just\b)"),
    "pl": re.compile(rf"\b(nie) (?={_POLISH_VERB})(?!\w+ tylko)", re.IGNORECASE),
    "zh": re.compile(rf"不(?={_CHINESE_VERB}|能(?!不)|提供|支持)"),
}
# Questions, sentences that begin with a condition (denied, it may leave them true), and what is said of each and all.
_UNFIT = re.compile(
    r".*[?？]|(?:if|when|every|each|all|both|jeśli|jeżeli|gdy|kiedy|każd\w+|wszys\w+)\b|如果|若|当|所有|每",
    re.IGNORECASE | re.DOTALL,
)
# Before a verb of a subordinate clause, and behind one of a Chinese condition: `需要发票的，`.
_SUBORDINATE = re.compile(
    r"(?:\b(?:in which|how|where|why|what|whether|if|when|while|as|even|jeśli|jeżeli|gdy|czy|o ile|jak)\b|若|如果)"
    r"[^,;，；]*$",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"[^，；。]*的[，,]")
# Words that may deny beside the one negation that is taken away.
_ALSO = {
    "en": r"\b(?:any\w*|ever|yet|either|but|until|unless|nor|without|no|never)\b",
    "pl": r"\b(?:ani|nikt|nikogo|nikomu|nic|niczego|nigdy|nigdzie|żad\w+|bez|dopóki|zanim|jeszcze|już|lecz|ale)\b",
    "zh": r"[没无未非勿莫否]|禁止|除|而是|但",
}


def deny(sentence: str, language: Language, random: Random) -> str | None:
    """The sentence with a negation added or taken away, or None where that would not surely be grammatical.

    Only sentences with one place for it are changed: where two verbs stand, it is not sure what would be denied.
    """
    if _UNFIT.match(sentence):
        return None
    denying = re.findall(_DENYING[language], sentence, re.IGNORECASE)
    places = list((_ADD if not denying else _TAKE)[language].finditer(sentence))
    if not places or (len(places) > 1 and language != "zh") or len(places) > 2:
        return None
    place = random.choice(places)
    if _SUBORDINATE.search(sentence[: place.start()]) or _CONDITION.match(sentence, place.end()):
        return None
    if not denying:
        return _add(sentence, place, language)
    if len(denying) > 1 or re.search(_ALSO[language], sentence, re.IGNORECASE):
        return None
    return _take(sentence, place, language)


def _add(sentence: str, place: "re.Match[str]", language: Language) -> str:
    if language == "en":
        joined = "not" if place.group() == "can" else " not"
        return sentence[: place.end()] + joined + sentence[place.end() :]
    before, after = sentence[: place.start()], sentence[place.start() :]
    if language == "zh":
        return f"{before}不{after}"
    if not before.strip():
        return f"{before}Nie {after[0].lower()}{after[1:]}" if after[0].isupper() else f"{before}nie {after}"
    return f"{before}nie {after}"


def _take(sentence: str, place: "re.Match[str]", language: Language) -> str:
    before, after = sentence[: place.start()], sentence[place.end() :]
    if language == "en":
        return f"{before}{place.group(1) or place.group(2)} {after}"
    if language == "pl" and place.group(1)[0].isupper():
        return before + after[0].upper() + after[1:]
    return before + after
