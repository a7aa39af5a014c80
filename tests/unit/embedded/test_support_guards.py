"""Statements close to the text that it does not bear out, each kind with counterparts that it does."""

import zlib
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from rag_variants.llm.embedding import Vectors
from rag_variants.text.frequencies import TermFrequencies
from rag_variants.text.language import Language
from rag_variants_embedded.judge.support import SupportJudge


def embed(texts: Sequence[str]) -> Vectors:
    """Unit vectors of letters: enough where a rule does not need the encoder."""
    rows = np.zeros((len(texts), 64), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for character in text.casefold():
            row[zlib.crc32(character.encode()) % 64] += 1
        row /= max(float(np.linalg.norm(row)), 1e-9)
    return rows


JUDGE = SupportJudge(embed, TermFrequencies(0, {}))

# Kind, language, context, and statements: those after + are supported, those after - are not.
TEXTS: tuple[tuple[str, Language, str, str], ...] = (
    ("id", "en", "### ERR-4031\n\nThe gateway certificate has expired. Install a new certificate.\n\n"
     "### ERR-4130\n\nThe sensor calibration is overdue. Calibrate the sensor before the next shipment.",
     "-ERR-4031 means that the sensor calibration is overdue.\n-ERR-4130 means the gateway certificate has expired."
     "\n+ERR-4031 means that the gateway certificate has expired."),
    ("id", "en", "| E-207 | The door was left open |\n| E-270 | The battery is empty |\n| E-702 | The card is full |",
     "-E-207 means that the battery is empty.\n-E-702 is reported when the door was left open."
     "\n+E-270 means that the battery is empty."),
    ("id", "pl", "### ERR-4031\n\nCertyfikat bramki wygasł.\n\n### ERR-4130\n\nKalibracja czujnika jest spóźniona.",
     "-ERR-4031 oznacza, że kalibracja czujnika jest spóźniona.\n-ERR-4130 oznacza, że certyfikat bramki wygasł."
     "\n+ERR-4031 oznacza, że certyfikat bramki wygasł."),
    ("id", "pl", "Kod ERR-12 oznacza, że wentylator się zatrzymał, a kod ERR-21 oznacza, że dysk jest pełny.",
     "-Kod ERR-12 oznacza, że dysk jest pełny.\n-ERR-21 pojawia się, gdy wentylator się zatrzymał."
     "\n+Kod ERR-12 oznacza, że wentylator się zatrzymał."),
    ("id", "zh", "ERR-4031：网关证书已过期。ERR-4130：校准已逾期。ERR-4301：电池电量不足。",
     "-ERR-4031表示校准已逾期。\n-ERR-4130表示网关证书已过期。\n-ERR-4301表示校准已逾期。"
     "\n+ERR-4130表示校准已逾期。\n+ERR-4031表示网关证书已过期。"),
    ("limit", "en", "Access tokens live 180 days. After that they must be replaced with new ones.",
     "-Access tokens have no expiry.\n-Access tokens never need replacing.\n-Access tokens live forever."
     "\n-Access tokens live indefinitely.\n+The tokens live for 180 days."),
    ("limit", "en", "API keys are valid for one year.",
     "-API keys are valid permanently.\n+API keys are valid for one year."),
    ("limit", "en", "Serial tokens never expire.", "+The serial tokens never expire."),
    ("limit", "pl", "Tokeny są ważne przez 180 dni. Potem trzeba je wymienić na nowe.",
     "-Tokeny są ważne bezterminowo.\n-Tokeny nie mają terminu ważności.\n-Tokenów nigdy nie trzeba wymieniać."
     "\n+Tokeny są ważne 180 dni."),
    ("limit", "pl", "Archiwum przechowuje nagrania przez 90 dni.",
     "-Archiwum przechowuje nagrania bez ograniczeń czasowych.\n+Archiwum przechowuje nagrania 90 dni."),
    ("limit", "zh", "访问令牌的有效期为180天。到期后必须更换令牌。",
     "-访问令牌没有使用期限。\n-令牌永久有效。\n-令牌永远不需要更换。\n+令牌的有效期为180天。"),
    ("cost", "en", "A calibration costs 85 euros per sensor. If the device is faulty, we pay the return shipment. "
     "The customer pays the customs duty.",
     "-The customer pays nothing for a calibration.\n-A calibration is free of charge.\n-We pay the customs duty."
     "\n-The customer pays the return shipment.\n+We pay the return shipment if the device is faulty."
     "\n+The customer pays the customs duty.\n+A calibration costs 85 euros."),
    ("cost", "pl", "Kalibracja czujnika kosztuje 85 euro. Jeśli urządzenie jest wadliwe, my płacimy za przesyłkę "
     "zwrotną. Cło płaci klient.",
     "-Za kalibrację czujnika klient nic nie płaci.\n-Kalibracja czujnika jest bezpłatna.\n-My płacimy cło."
     "\n-Za przesyłkę zwrotną płaci klient.\n+Za przesyłkę zwrotną płacimy my.\n+Klient płaci cło."),
    ("cost", "zh", "每个传感器的校准费用为85欧元。设备有故障时，退货运费由我们承担。关税由客户承担。",
     "-传感器的校准是免费的。\n-校准不收费。\n-退货运费由客户承担。\n-关税由我们承担。"
     "\n+退货运费由我们承担。\n+关税由客户承担。"),
    ("role", "en", "The cold-chain fleet ordered forty door sensors, while the greenhouse ordered twelve humidity "
     "probes. Technicians replace the batteries, managers approve the invoices.",
     "-The greenhouse ordered forty door sensors.\n-The cold-chain fleet ordered twelve humidity probes."
     "\n-Managers replace the batteries.\n-Technicians approve the invoices."
     "\n+The greenhouse ordered twelve humidity probes.\n+Managers approve the invoices."),
    ("role", "en", "The cold-chain fleet ordered door sensors. The greenhouse ordered humidity probes.",
     "-The greenhouse ordered door sensors.\n+The greenhouse ordered humidity probes."),
    ("role", "en", "After an alarm, the driver checks the door.", "+The driver checks the door after an alarm."),
    ("role", "pl", "Flota chłodnicza zamówiła czujniki drzwi, a szklarnia zamówiła sondy wilgotności. "
     "Technicy wymieniają baterie, kierownicy zatwierdzają faktury.",
     "-Szklarnia zamówiła czujniki drzwi.\n-Flota chłodnicza zamówiła sondy wilgotności."
     "\n-Kierownicy wymieniają baterie.\n+Szklarnia zamówiła sondy wilgotności.\n+Kierownicy zatwierdzają faktury."),
    ("role", "zh", "冷链车队订购了四十个门磁传感器，温室订购了十二个湿度探头。技术员更换电池，经理审批发票。",
     "-温室订购了四十个门磁传感器。\n-冷链车队订购了湿度探头。\n-经理更换电池。"
     "\n+温室订购了湿度探头。\n+经理审批发票。"),
)  # fmt: skip


def _cases() -> Iterator[tuple[str, Language, str, str, bool]]:
    for kind, language, context, statements in TEXTS:
        for line in statements.split("\n"):
            yield kind, language, context, line[1:], line[0] == "+"


CASES = list(_cases())


@pytest.mark.parametrize(("kind", "language", "context", "statement", "supported"), CASES)
def test_what_is_said_of_another_is_not_supported(
    kind: str, language: Language, context: str, statement: str, supported: bool
) -> None:
    assert (JUDGE.judge(statement, [context], language=language).label == "supported") is supported
