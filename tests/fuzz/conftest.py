"""How much is tried: seeded, each input within two seconds. RAG_VARIANTS_FUZZ raises the number for a long run."""

import os
from datetime import timedelta

from hypothesis import HealthCheck, settings

EXAMPLES = int(os.environ.get("RAG_VARIANTS_FUZZ", "80"))

settings.register_profile(
    "fuzz",
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=timedelta(seconds=2),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
)

settings.load_profile("fuzz")
