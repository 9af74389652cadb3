"""Stability: verdicts that hang on the seed are named, with the seeds; statistics may err as often
as they say."""

from __future__ import annotations

import pytest
import rounding_pack as pack
import small_pack

from grader.verification import Level
from grader.verify.stability import stability
from grader.verify.verdicts import by_chance

SOMETIMES = (
    "from grader import Case\n\n\ndef inputs(rng):\n"
    "    yield Case(rng.normal(size=3) if rng.random() < 0.4 else rng.random(3) * 0)\n"
)
"""Under some seeds only a case in which `2·x` and `x` differ."""
DOUBLES = {
    "reference": "def answer(x):\n    return 2 * x\n",
    "misconceptions": "def wrong(x):\n    return x\n",
}


def test_a_sound_pack_is_stable_and_says_what_was_tried(tmp_path):
    found = stability(pack.bench(tmp_path))
    assert found.aspect.sound
    assert not found.aspect.findings
    assert found.aspect.summary == "The reference and 1 misconception under 20 seeds."


def test_a_criterion_that_sees_a_mistake_under_some_seeds_only_is_flaky(tmp_path):
    found = stability(pack.bench(tmp_path, inputs=SOMETIMES, **DOUBLES))
    (warning,) = found.aspect.findings
    assert warning.level is Level.WARNING
    assert warning.about == "close"
    assert "misconception wrong depends on the seed" in warning.text
    passed = warning.text.partition("passed under ")[2]
    failed = warning.text.partition("failed under ")[2]
    assert int(passed.split()[0]) + int(failed.split()[0]) == 20
    assert found.aspect == stability(pack.bench(tmp_path, inputs=SOMETIMES, **DOUBLES)).aspect


@pytest.mark.parametrize(
    ("draw", "before"),
    [
        ("np.random.normal(size=3)", ""),
        ("np.arange(3.0) + time.perf_counter()", ""),
        ("np.arange(3.0) + next(count)", "count = itertools.count()\n"),
        ("np.random.default_rng().random(3)", ""),
        ("np.full(3, id(object()) % 2 + next(count))", "count = iter(range(10**6))\n"),
    ],
)
def test_inputs_that_differ_each_time_are_an_error(tmp_path, draw, before):
    inputs = (
        f"import itertools, time\nimport numpy as np\nfrom grader import Case\n\n{before}\n"
        f"def inputs(rng):\n    yield Case({draw})\n"
    )
    errors = [
        f for f in stability(pack.bench(tmp_path, inputs=inputs, **DOUBLES)).aspect.findings
        if f.level is Level.ERROR
    ]  # fmt: skip
    assert [error.about for error in errors] == ["close"]
    assert "`inputs` gives other inputs each time" in errors[0].text


def test_a_reference_that_answers_otherwise_each_time_is_an_error(tmp_path):
    counting = "import itertools\n\ncount = itertools.count()\n\n\ndef answer(x):\n"
    reference = f"{counting}    return 2 * x + next(count)\n"
    found = stability(pack.bench(tmp_path, **DOUBLES | {"reference": reference}))
    texts = [f.text for f in found.aspect.findings if f.level is Level.ERROR]
    assert any("another answer when it is asked the same a second time" in t for t in texts)


def test_a_pack_that_can_be_made_ready_but_once_is_an_error(tmp_path):
    inputs = (
        "from grader import Case\n\nonce = [3.0]\n\n\n"
        "def inputs(rng):\n    yield Case(once.pop())\n"
    )
    found = stability(pack.bench(tmp_path, inputs=inputs, **DOUBLES))
    texts = [f.text for f in found.aspect.findings if f.level is Level.ERROR]
    assert any(t.startswith("Made ready a second time, the pack cannot be used") for t in texts)


def test_a_property_that_the_reference_fails_under_some_seed_is_an_error(tmp_path):
    bound = "def holds(result):\n    return result.args[0].max() < 2.4\n"
    bench = pack.bench(tmp_path, checks=bound, more=pack.PROPERTY)
    found = stability(bench)
    (error,) = found.aspect.findings
    assert error.level is Level.ERROR
    assert error.about == "holds"
    assert "of 20 seeds" in error.text
    assert "the reference itself does not pass holds" in error.text


def test_a_share_of_the_cases_is_a_verdict_of_its_own(tmp_path):
    halves = (
        "from grader import Case\n\n\ndef inputs(rng):\n"
        "    yield Case(rng.normal(size=2))\n    yield Case(rng.integers(0, 2, 2) * 0.0)\n"
    )
    shares = stability(
        pack.bench(tmp_path, tolerances='credit = "share"', inputs=halves, **DOUBLES)
    )
    assert shares.aspect.sound  # half of the cases under every seed


@pytest.mark.parametrize(("p", "sound"), [("0.5", True), ("rng_p(result)", True)])
def test_a_statistical_criterion_may_err_as_often_as_it_says(tmp_path, p, sound):
    checks = (
        "import numpy as np\nfrom grader import PValue\n\n\n"
        "def rng_p(result):\n    return float(abs(result.args[0][0]) % 1e-3 / 1e-3)\n\n\n"
        f"def holds(result):\n    return PValue({p}, 'unlikely')\n"
    )
    statistical = pack.PROPERTY + "false_alarm = 0.01\n"
    bench = pack.bench(tmp_path, checks=checks, more=statistical)
    assert stability(bench).aspect.sound is sound


def test_a_statistical_criterion_that_errs_more_often_is_found(tmp_path):
    checks = (
        "from grader import PValue\n\n\ndef holds(result):\n"
        "    return PValue(0.001 if result.args[0][0] < -0.9 else 0.5, 'unlikely')\n"
    )
    statistical = pack.PROPERTY + "false_alarm = 0.01\n"
    found = stability(pack.bench(tmp_path, checks=checks, more=statistical))
    (error,) = found.aspect.findings
    assert error.level is Level.ERROR
    assert error.about == "holds"


def test_chance_explains_few_failures_and_no_more(tmp_path):
    bench = pack.bench(tmp_path, more=pack.PROPERTY + "false_alarm = 0.01\n")
    exact, statistical = (c for _, c in bench.problem.criteria())
    assert by_chance(statistical, 1, 20)
    assert not by_chance(statistical, 4, 20)
    assert not by_chance(exact, 1, 20)


def test_samples_are_run_under_several_seeds(tmp_path):
    moody = "from material import case\n\n\ndef small(rng):\n    yield case(2.0)\n\n\n" \
            "def larger(rng):\n    yield case(*rng.normal(size=3))\n"  # fmt: skip
    sample = {
        "samples/no_marks/di/work.py": (
            "def scaled(x):\n    return x / max(abs(x)) if x[0] > 0 else x * 0\n"
        )
    }
    folder = small_pack.write_pack(tmp_path, {"inputs.py": moody, **sample})
    with small_pack.on_bench(folder) as bench:
        found = stability(bench)
    assert "sample submissions under 3" in found.aspect.summary
    shown = next(f for f in found.aspect.findings if f.about == "larger")
    assert "sample di: " in shown.block
