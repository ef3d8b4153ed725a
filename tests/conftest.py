import os

from hypothesis import settings

# Every run of the tests tries the same examples; `make fuzz` tries many new ones.
settings.register_profile("tests", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("fuzz", deadline=None, max_examples=2000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "tests"))
