import itertools
import ssl

import pytest

from rag_variants.llm.backoff import backoff, read_retry_after
from rag_variants.llm.endpoint import Endpoint
from rag_variants.llm.failures import read_failure

ENDPOINT = Endpoint("house", "https://models.example.com/v1")


def chained(*errors: BaseException) -> BaseException:
    for outer, inner in itertools.pairwise(errors):
        outer.__cause__ = inner
    return errors[0]


class ConnectError(Exception):
    """As the client's own, by name."""


@pytest.mark.parametrize(
    ("error", "kind", "stops", "passes"),
    [
        (
            chained(OSError("x"), ConnectError(), ssl.SSLCertVerificationError("x")),
            "certificate",
            True,
            False,
        ),
        (chained(OSError("x"), ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED]")), "certificate", True, False),
        (chained(OSError("x"), ssl.SSLError("WRONG_VERSION_NUMBER")), "url", True, False),
        (chained(OSError("x"), ConnectError(), ConnectionRefusedError()), "network", False, True),
        (TimeoutError(), "timeout", False, True),
        (OSError("x"), "dropped", False, True),
    ],
)
def test_the_cause_of_a_failed_connection_is_named(error, kind, stops, passes):
    failure = read_failure(error, ENDPOINT, "small")
    assert (failure.error.kind, failure.error.stops, failure.passes) == (kind, stops, passes)
    assert "house" in str(failure.error) or "models.example.com" in str(failure.error)


def test_waits_double_up_to_a_limit_and_depend_on_the_seed_alone():
    waits = [backoff(failures, "call") for failures in range(1, 10)]
    wholes = [0.5, 1, 2, 4, 8, 16, 20, 20, 20]
    assert all(whole / 2 <= wait <= whole for wait, whole in zip(waits, wholes, strict=True))
    assert waits == [backoff(failures, "call") for failures in range(1, 10)]
    assert waits != [backoff(failures, "another") for failures in range(1, 10)]


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("2", 2.0),
        ("0.1", 0.1),
        ("-5", 0.0),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 20.0),  # 120 s after 1970 − 100 s
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
        ("soon", None),
        ("nan", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header, seconds):
    assert read_retry_after(header, 100.0) == seconds
