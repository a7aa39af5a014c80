"""The patterns of facts in three languages: how each kind is asked for, and what shows that a text holds one."""

from typing import Literal

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

_NUMBER_WORDS = (
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty"
    r"|sixty|hundred|thousand|once|twice|half|none|no"
    r"|jeden|jedna|jedno|dwa|dwie|dwóch|dwoje|trzy|trzech|cztery|czterech|pięć|pięciu|sześć|sześciu|siedem"
    r"|siedmiu|osiem|ośmiu|dziewięć|dziewięciu|dziesięć|dziesięciu"
    r"|dwanaście|dwudziest\w+|trzydziest\w+|sto|tysiąc\w*|raz|dwukrotnie|pół|żaden|żadnych)\b"
    r"|[一二两三四五六七八九十百千万半零](?=[个次名位天年月周日小分秒条台只项张元人座站所支种届岁倍点])"
)
_NUMBER = rf"\d|{_NUMBER_WORDS}"
_TIME_UNIT = (
    r"\b(?:seconds?|minutes?|min|hours?|h|days?|nights?|weeks?|months?|quarters?|years?|decades?|sekund\w*"
    r"|minut\w*|godzin\w*|dni|dnia|dzień|dniach|dób|dob[aęy]"
    r"|tygodni\w*|tydzień|miesiąc\w*|miesięcy|lat|lata|latach|rok|roku|permanent\w*|unlimited|indefinite\w*"
    r"|bezterminowo)\b"
    r"|[天日周月年时秒]|分钟|小时|永久|长期|无限期"
)
HOLDS: dict[Fact, str] = {
    "money": r"[€$£¥]|\b(?:eur|euros?|usd|gbp|pln|zł|złot\w+|cny|rmb|dollars?|pounds?|cents?|groszy|gr)\b"
    r"|\d\s*(?:万|亿)?\s*(?:元|块|欧元|美元)|\b\d+[.,]\d\d\b(?!\.)"
    r"|\b(?:free|gratis|no charge|bezpłatn\w+|darmow\w+|za darmo)\b|免费|不收费",
    "percent": r"\d\s*(?:%|‰|per ?cent|percent|procent)|百分之",
    "frequency": r"\b(?:daily|weekly|monthly|quarterly|yearly|annually|every|each|once|twice|per|codziennie"
    r"|tygodniowo|miesięcznie|rocznie|raz|razy|co)\b|\ba (?:day|week|month|year)\b|每|一次",
    "duration": rf"(?:\d|{_NUMBER_WORDS}|\b(?:a|an|same|one)\b).{{0,24}}?(?:{_TIME_UNIT})|permanent"
    rf"|bezterminowo|永久|(?:{_TIME_UNIT})",
    "time": r"\d{1,2}[:.]\d\d|\b\d{4}\b|\b(?:january|february|march|april|may|june|july|august|september"
    r"|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|noon|midnight"
    r"|today|century)\b"
    r"|\b(?:stycz\w+|lut\w+|marc\w+|kwie\w+|maj\w*|czerw\w+|lip\w+|sierp\w+|wrze\w+|paździer\w+|listopad\w*"
    r"|grud\w+|poniedział\w+|wtor\w+|środ\w+|czwart\w+|piąt\w+|sobot\w+|niedziel\w+|wiek\w*|roku?)\b"
    r"|\d+\s*[年月日号点时]|周[一二三四五六日]|星期|[〇零一二三四五六七八九十]+[年月日]|世纪"
    rf"|(?:\d|{_NUMBER_WORDS}).{{0,16}}?(?:{_TIME_UNIT})|\b(?:after|before|once|until|as soon as|gdy|zanim"
    rf"|po tym|dopóki)\b|[之以]?[前后]",
    "weight": r"\d\s*(?:kg|g|mg|t|lbs?|oz|kilogram\w*|gram\w*|ton\w*|pounds?|公斤|千克|克|吨|斤)\b"
    r"|\d\s*(?:公斤|千克|克|吨|斤)",
    "length": rf"(?:{_NUMBER})[^.;]{{0,12}}?(?:\b(?:mm|cm|m|km|metr\w*|meters?|metres?|kilomet\w*"
    rf"|centymetr\w*|milimetr\w*|feet|foot|ft|inch(?:es)?|miles?|yards?)\b|米|公里|厘米|毫米|公分|公尺|里)"
    r"|\d\s*(?:mm|cm|m|km)\b",
    "temperature": r"\d\s*(?:°|℃|degrees|stopni|度)",
    "measure": _NUMBER,
    "contact": r"\S@\S|https?://|\bwww\.|\+?\d[\d\s().-]{5,}\d",
    "number": _NUMBER,
    "code": r"\d",
    "reason": r"\b(?:because|since|due to|as|so that|therefore|thus|cause\w*|reason|owing|ponieważ|bo|gdyż"
    r"|dlatego|z powodu|wskutek|aby|żeby|więc|przyczyn\w+|zatem)\b|因|由于|为了|所以|故|以致|导致",
}
