"""How hard Hypothesis tries: ``ci`` is quick and always the same, ``deep`` (``make deep``) searches afresh."""

from hypothesis import HealthCheck, settings

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=40, suppress_health_check=SLOW)
settings.register_profile("deep", deadline=None, max_examples=3000, suppress_health_check=SLOW)
settings.load_profile("ci")
