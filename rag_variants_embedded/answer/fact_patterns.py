"""The patterns of facts in three languages: how each kind is asked for, and what shows that a text holds one."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal

from rag_variants.text.quantities.tables import spellings

Fact = Literal[
    "money",
    "percent",
    "duration",
    "time",
    "weight",
    "length",
    "temperature",
    "measure",
    "contact",
    "frequency",
    "number",
    "code",
    "person",
    "place",
    "reason",
]

# A kind is asked for where its pattern stands in the question; the first of `EXCLUSIVE` that fits wins.
ASKS: dict[Fact, str] = {
    "money": r"\bhow much\b[^?]*\b(?:costs?|pay|paid|price|fee|charged|money)\b|\bhow many (?:euros?"
    r"|dollars?|pounds?)\b|\b(?:what|which)\b[^?]*\b(?:costs?|prices?|fee)\b"
    r"|\bile\b[^?]*\b(?:kosztuj\w+|kosztował\w*|zapłac\w+|zaplac\w+|płac\w+)|\b(?:jaka|jaki"
    r"|jaką)\b[^?]*\b(?:cen[aęy]|opłat[aęy]|koszt|stawk[aęi])\b"
    r"|多少钱|多少元|价格|单价|费用(?:是|为)?多少|花费多少|报价",
    "percent": r"\bwhat (?:percentage|percent|share)\b|\bhow many per ?cent\b|\bile procent\b"
    r"|\bjaki (?:procent|odsetek)\b|百分之几|百分比|占比|比例",
    "frequency": r"\bhow often\b|\bhow frequently\b|\bjak często\b|\bco ile\b|多久.{0,4}一次|频率|每隔多",
    "duration": r"\bhow long\b|\blength of time\b|\bhow soon\b|\bhow (?:much time|many (?:\w+ )?(?:days?"
    r"|weeks?|months?|years?|hours?|minutes?|seconds?))\b"
    r"|\bjak (?:długo|dlugo|szybko)\b|\bile\b[^?]{0,20}\b(?:dni|tygodni|miesięcy|miesiecy|lat|godzin|minut"
    r"|sekund|czasu|trwa)\b|\bpo jakim czasie\b|\bw jakim (?:czasie|terminie)\b"
    r"|多久|多长时间|几天|几个月|几年|几小时|多少(?:个)?(?:天|周|月|年|小时|分钟|秒)|几个工作日|有效期",
    "time": r"(?:^|[,.;:]\s*|\b(?:and|or|by|since|until)\s+)when\b|\b(?:what|which) (?:year|day|date|month"
    r"|time|century)\b|\b(?:until|till|by) what time\b|\bsince when\b"
    r"|\bkiedy\b|\b(?:którym|jakim|ktorym) (?:roku|dniu|miesiącu|wieku)\b|\bo której\b|\bdo której godziny\b"
    r"|什么时候|何时|哪一年|哪年|哪一天|哪天|几月|几号|几点|什么时间|日期|最晚",
    "weight": r"\bhow (?:heavy|much does \w+ weigh)\b|\bweigh\b|\bthe weight of\b|\bile (?:waży|wazy|ważą)\b"
    r"|\bjak (?:ciężk\w+)\b|\bjak[ąai]\w* (?:jest )?(?:wag[aęi]|mas[aęy])\b"
    r"|多重|(?:重量|体重)(?:是|为|有)?(?:多少|几|什么)",
    "length": r"\bhow (?:far|high|tall|wide|deep)\b|\b(?:what|which)\b[^?]*\b(?:height|length|width|depth|distance)\b"
    r"|\bjak (?:daleko|wysok\w+|głębok\w+|szerok\w+)\b|\bjak[ąai]\w*\b[^?]*\b(?:długoś\w+|wysokoś\w+"
    r"|szerokoś\w+|głębokoś\w+|odległoś\w+|wzrost\w*)\b|\bile (?:mierzy|metrów)\b"
    r"|多远|多高|多长(?!时间)|(?:身高|长度|高度|宽度|深度|距离)(?:是|为|有)?(?:多少|几|什么)",
    "temperature": r"\bhow (?:hot|cold|warm)\b|\b(?:what|which) temperatures?\b|\bjak\w+ temperatur\w+"
    r"|(?:温度|气温)(?:是|为|有)?(?:多少|几)",
    "measure": r"\bhow (?:fast|large|big|loud|old)\b|\b(?:what|which)\b[^?]*\b(?:speed|size|range|accuracy"
    r"|capacity)\b"
    r"|\bjak (?:duż\w+|szybk\w+|głośn\w+)\b|\bjak[ąai]\w*\b[^?]*\b(?:prędkoś\w+|zakres|dokładnoś\w+|pojemnoś\w+)\b"
    r"|多大|(?:速度|范围|精度|容量)(?:是|为|有)?(?:多少|几|什么)",
    "contact": r"\b(?:e-?mail|mail) address\b|\b(?:tele)?phone number\b|\bwhich (?:address|url|number)\b"
    r"|\badres(?:em)? e-?mail|\bna jaki adres\b|\bnumer telefonu\b|电话号码|邮箱|联系方式|网址|电话是",
    "number": r"\bhow many\b|\bhow much\b|\bby how much\b|\bwhat (?:is the )?number of\b|\bile\b|\bilu\b"
    r"|\bjaka liczba\b|多少|几个|几名|几次|几位|数量",
    "code": r"\b(?:which|what)\b[^?]{0,30}\b(?:port|version|part number|article number|serial number"
    r"|revision)\b|\b(?:jaki|który|jakim|ktorym)\b[^?]{0,30}\b(?:port|numer|wersj\w+)\b|端口|料号是|版本号"
    r"|编号是",
    "person": r"(?:^|[,.;:]\s*|\b(?:and|or|to|with|by)\s+)who(?:m|se)?\b|\bkto\b|\bkim\b|\bkogo\b|\bkomu\b|谁",
    "place": r"(?:^|[,.;:]\s*|\b(?:and|or|from)\s+)where\b|\bgdzie\b|\bskąd\b|\bdokąd\b|哪里|哪儿|位于何|什么地方",
    "reason": r"\bwhy\b|\bdlaczego\b|\bczemu\b|\bz jakiego powodu\b|为什么|为何|原因",
}
EXCLUSIVE: tuple[Fact, ...] = (
    "money",
    "percent",
    "frequency",
    "duration",
    "weight",
    "length",
    "temperature",
    "measure",
    "contact",
    "number",
)

# A fact that a text holds where it holds a quantity of one of these dimensions.
MEASURED: Mapping[Fact, frozenset[str]] = {
    "money": frozenset({"EUR", "USD", "GBP", "PLN", "CNY"}),
    "percent": frozenset({"share"}),
    "frequency": frozenset({"rate"}),
    "weight": frozenset({"mass"}),
    "length": frozenset({"length"}),
    "temperature": frozenset({"celsius"}),
}


def _words(*lists: str, dimension: str | None = None) -> str:
    """The spellings of the reader's lists as one pattern; those of Latin letters as whole words."""
    found = [each for name in lists for each in spellings(name, *([dimension] if dimension else ()))]
    latin = "|".join(re.escape(each) for each in found if each < "\u2e80")
    chinese = "|".join(re.escape(each) for each in found if each >= "\u2e80")
    return rf"\b(?:{latin})\b" + (f"|{chinese}" if chinese else "")


@cache
def holding() -> Mapping[Fact, str]:
    """What shows that a text holds a fact, where no quantity in it does: a pattern for its lower-case form."""
    number = (
        rf"\d|{_words('numbers', 'scales')}|\b(?:once|twice|half|none|no|raz|dwukrotnie|żaden|żadnych)\b|{_COUNTED}"
    )
    unit = rf"{_words('units', dimension='time')}|{_MORE_TIME}"
    return {
        "money": r"\b\d+[.,]\d\d\b(?!\.)|\b(?:free|gratis|no charge|bezpłatn\w+|darmow\w+|za darmo)\b|免费|不收费",
        "frequency": r"\b(?:every|each|once|twice|per|raz|razy|co)\b|每|一次",
        "duration": rf"(?:{unit})|permanent|bezterminowo|永久",
        "time": rf"\d{{1,2}}[:.]\d\d|\b\d{{4}}\b|{_words('months', 'weekdays')}|{_MORE_DATES}"
        rf"|(?:{number}).{{0,16}}?(?:{unit})|{_HOURS}|{_PARTS_OF_DAY_AND_YEAR}"
        r"|\b(?:after|before|once|until|as soon as|gdy|zanim|po tym|dopóki)\b|[之以]?[前后]",
        "measure": number,
        "contact": r"\S@\S|https?://|\bwww\.|\+?\d[\d\s().-]{5,}\d",
        "number": number,
        "code": r"\d",
        "reason": r"\b(?:because|since|due to|as|so that|therefore|thus|cause\w*|reason|owing|ponieważ|bo|gdyż"
        r"|dlatego|z powodu|wskutek|aby|żeby|więc|przyczyn\w+|zatem)\b|因|由于|为了|所以|故|以致|导致",
    }


# A Chinese numeral before what it counts.
_COUNTED = r"[一二两三四五六七八九十百千万半零](?=[个次名位天年月周日小分秒条台只项张元人座站所支种届岁倍点])"
_MORE_TIME = r"\b(?:nights?|permanent\w*|unlimited|indefinite\w*|bezterminowo)\b|[周时]|长期|无限期|永久"
_MORE_DATES = (
    r"\b(?:noon|midnight|today|century|wiek\w*|roku?)\b|\d+\s*[年月日号点时]|周[一二三四五六日]|星期"
    r"|[〇零一二三四五六七八九十]+[年月日]|世纪"
)
# An hour without its minutes, where no unit follows: `from 7 to 10`, `at nine`, `o dziewiątej`, 九点.
_HOUR = (
    r"(?:[01]?\d|2[0-4]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:pierwsz|drugi|trzeci|czwart|piąt|szóst|siódm|ósm|dziewiąt|dziesiąt|jedenast|dwunast)ej)"
)
_NO_UNIT = (
    r"(?=\s*(?:$|[.,;!)\]]|(?:every|each|daily|sharp|on|in the|and|but|or|codziennie|w|we|i|oraz|a|ale|rano"
    r"|wieczorem|po południu)\b))(?![.,]\d)"
)
_HOURS = (
    rf"\b(?:from|between|od|między)\s+{_HOUR}\s*(?:to|till|until|and|do|a|-|–)\s*{_HOUR}\b{_NO_UNIT}"
    rf"|\b(?:at|by|till|o|przed|po)\s+{_HOUR}\b{_NO_UNIT}"
    r"|(?<![分十百千万有差早晚快慢])[一二两三四五六七八九十]{1,3}点(?!儿)"
)
_PARTS_OF_DAY_AND_YEAR = (
    r"\bin (?:the )?(?:spring|summer|autumn|winter|mornings?|afternoons?|evenings?)\b|\bat night\b"
    r"|\b(?:wiosną|latem|jesienią|zimą|rano|wieczorem|po południu|nocą|w nocy)\b"
    r"|[春夏秋冬][天季]|早上|清晨|上午|中午|下午|傍晚|晚上|夜间|凌晨"
)
