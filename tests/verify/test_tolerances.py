"""Tolerances: what honest rounding comes to, what the nearest mistake does, what is proposed."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest
import rounding_pack as pack
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_np

from grader import spec
from grader.checks.closeness import Tolerance, compare
from grader.checks.distance import distance
from grader.pipeline.variants import for_variant
from grader.verification import Level
from grader.verify.formulations import exact_numpy, rounding
from grader.verify.formulations.catalogue import catalogue
from grader.verify.formulations.exact import Unavailable, lifted, lowered
from grader.verify.formulations.load import Dialect
from grader.verify.tolerances import tolerances

NUMPY = exact_numpy.dialect().modules["numpy"]


# --- a sound pack -------------------------------------------------------------------------------


def test_a_sound_pack_has_no_finding_and_a_spread_for_each_precision(tmp_path):
    found = tolerances(pack.bench(tmp_path))
    assert found.aspect.sound
    assert not found.aspect.findings
    double, single = (pack.spread(found, name) for name in ("float64", "float32"))
    assert 0 < double.honest < 1e-6
    assert 1e-6 < single.honest < 0.1
    assert double.wrong > single.wrong > 10
    assert double.wrong_by == single.wrong_by == "wrong"
    assert "1 seed" not in found.aspect.summary
    json.dumps(found.spreads[0].honest, allow_nan=False)


def test_a_quick_look_says_how_little_it_tried(tmp_path):
    found = tolerances(pack.bench(tmp_path, quick=True))
    assert "1 seed:" in found.aspect.summary
    assert found.aspect.sound


# --- too tight, too loose -----------------------------------------------------------------------


def test_a_tolerance_below_rounding_is_an_error_with_the_case_and_a_proposal_that_holds(tmp_path):
    tight = "rtol = 1e-16\natol = 0"
    found = tolerances(pack.bench(tmp_path, tolerances=tight))
    (error,) = pack.findings(found)
    assert error.level is Level.ERROR
    assert error.about == "close"
    assert "times the tolerance" in error.text
    assert "case:" in error.block
    assert "reference:" in error.block
    proposed = re.search(r"rtol = (\de-?\d+)", error.mend)
    assert proposed
    mended = f"rtol = {proposed[1]}\natol = 0"
    again = tolerances(pack.bench(tmp_path / "mended", tolerances=mended))
    assert again.aspect.sound
    assert pack.spread(found).proposal
    assert not pack.spread(again).proposal


def test_no_tolerance_at_all_is_too_tight_for_what_rounds(tmp_path):
    found = tolerances(pack.bench(tmp_path, tolerances="rtol = 0\natol = 0"))
    (error,) = pack.findings(found)
    assert error.level is Level.ERROR
    assert "rtol = " in error.mend


def test_no_tolerance_at_all_is_right_for_whole_numbers(tmp_path):
    found = tolerances(
        pack.bench(
            tmp_path,
            tolerances="rtol = 0\natol = 0",
            reference="import numpy as np\n\n\ndef answer(x):\n    return np.argsort(-x)\n",
            misconceptions="import numpy as np\n\n\ndef wrong(x):\n    return np.argsort(x)\n",
        )
    )
    assert found.aspect.sound
    assert pack.spread(found).honest == 0


def test_a_tolerance_that_takes_a_misconception_for_right_is_a_warning_and_can_be_mended(tmp_path):
    more = {"misconceptions": "from reference import answer\n\n\ndef wrong(x):\n"
            "    return answer(x) * 1.004\n"}  # fmt: skip
    loose = "rtol = 1e-2\nfloat32_rtol = 1e-4"
    found = tolerances(pack.bench(tmp_path, tolerances=loose, **more))
    warnings = pack.findings(found)
    assert {w.level for w in warnings} == {Level.WARNING}
    assert any("wrong passes as right" in w.text for w in warnings)
    proposed = re.search(r"rtol = (\de-?\d+), atol = (\de-?\d+)", warnings[0].mend)
    assert proposed
    mended = f"rtol = {proposed[1]}\natol = {proposed[2]}\nfloat32_rtol = 1e-5"
    again = tolerances(pack.bench(tmp_path / "mended", tolerances=mended, **more))
    assert pack.spread(again).proposal == ""
    assert pack.spread(again).wrong > 10


def test_what_is_right_on_every_input_is_no_misconception_for_a_tolerance(tmp_path):
    same = "import numpy as np\n\n\ndef wrong(x):\n    return np.exp(x) / np.exp(x).sum()\n"
    found = tolerances(pack.bench(tmp_path, misconceptions=same))
    assert pack.spread(found).wrong is None
    assert found.aspect.sound


def test_a_wrong_answer_of_another_shape_needs_no_tolerance(tmp_path):
    column = (
        "from reference import answer\n\n\ndef wrong(x):\n    return answer(x)[:, None] + 1e-12\n"
    )
    assert pack.spread(tolerances(pack.bench(tmp_path, misconceptions=column))).wrong is None


# --- what rounding brings to light --------------------------------------------------------------

CANCELS = (
    "import numpy as np\n\n\ndef answer(x):\n    x = x + 1e6\n"
    "    return np.array([(x**2).mean() - x.mean() ** 2])\n"
)
"""Loses ten digits and more."""


def test_a_reference_that_cancels_is_found_by_other_orders_of_summing(tmp_path):
    found = tolerances(pack.bench(tmp_path, reference=CANCELS, more="", tolerances="rtol = 1e-6"))
    (error,) = pack.findings(found)
    assert error.level is Level.ERROR
    assert pack.spread(found).honest > 1


def test_a_reference_that_casts_to_single_precision_is_found(tmp_path):
    narrow = (
        "import numpy as np\n\n\ndef answer(x):\n"
        "    return np.exp(x.astype(np.float32)).astype(np.float64)\n"
    )
    found = tolerances(pack.bench(tmp_path, reference=narrow, more=""))
    (error,) = pack.findings(found)
    assert error.level is Level.ERROR


def test_a_pack_about_rounding_is_told_so_and_stays_sound(tmp_path):
    lost = "def answer(x):\n    return (1e20 + x) - 1e20 + 1.0\n"
    found = tolerances(pack.bench(tmp_path, reference=lost, more=""))
    assert found.aspect.sound
    (note,) = pack.findings(found, Level.NOTE)
    assert note.text.startswith("Rounding is part of the answer")


def test_inputs_at_a_jump_are_noted_and_nothing_else(tmp_path):
    jumps = "import numpy as np\n\n\ndef answer(x):\n    return np.floor(x)\n"
    whole = "import numpy as np\nfrom grader import Case\n\n\ndef inputs(rng):\n" \
            "    yield Case(np.array([1.0, 2.0]), label='whole')\n"  # fmt: skip
    found = tolerances(pack.bench(tmp_path, reference=jumps, inputs=whole, more=""))
    assert found.aspect.sound
    (note,) = pack.findings(found, Level.NOTE)
    assert "jumps" in note.text
    assert "“whole”" in note.text


def test_single_precision_is_asked_for_where_inputs_have_it(tmp_path):
    single = "import numpy as np\nfrom grader import Case\n\n\ndef inputs(rng):\n" \
             "    yield Case(rng.normal(size=4).astype(np.float32))\n"  # fmt: skip
    tight = "float32_rtol = 1e-8"
    found = tolerances(pack.bench(tmp_path, inputs=single, tolerances=tight))
    (error,) = pack.findings(found)
    assert error.level is Level.ERROR
    assert "in single precision" in error.text
    assert "float32_rtol = " in error.mend
    assert [s.precision for s in found.spreads] == ["float32"]


# --- properties ---------------------------------------------------------------------------------


def test_a_property_that_a_right_answer_fails_is_an_error_with_the_case(tmp_path):
    exactly = (
        "def holds(result):\n    if result.value.sum() != result.expected.sum():\n"
        "        return 'The sum is another.'\n"
    )
    more = pack.PROPERTY + pack.MISCONCEPTION
    found = tolerances(pack.bench(tmp_path, checks=exactly, more=more))
    (error,) = pack.findings(found, Level.ERROR)
    assert error.about == "holds"
    assert "The sum is another." in error.text
    assert "case:" in error.block


def test_a_property_about_the_very_digits_of_the_inputs_stays_sound(tmp_path):
    sorts = "import numpy as np\n\n\ndef answer(x):\n    return np.sort(x)\n"
    same = "def holds(result):\n    return sorted(result.args[0]) == list(result.value)\n"
    found = tolerances(pack.bench(tmp_path, reference=sorts, checks=same, more=pack.PROPERTY))
    assert found.aspect.sound
    assert {n.about for n in pack.findings(found, Level.NOTE)} == {"holds"}


def test_a_function_that_works_in_place_is_tried_only_where_its_effect_shows(tmp_path):
    in_place = "def answer(x):\n    x.sort()\n    return x\n"
    changes = "def holds(result):\n    return result.mutated == (0,)\n"
    unsorted = "import numpy as np\nfrom grader import Case\n\n\ndef inputs(rng):\n" \
               "    yield Case(np.array([3.0, 1.5, 2.0]))\n"  # fmt: skip
    bench = pack.bench(
        tmp_path, reference=in_place, checks=changes, inputs=unsorted, more=pack.PROPERTY
    )
    assert tolerances(bench).aspect.sound


def test_a_students_variant_reaches_every_formulation(tmp_path):
    folder = pack.write(
        tmp_path,
        more='[variants]\nk = { type = "integer", min = 2, max = 9 }\n',
        reference="def answer(x, *, variant):\n    return x / variant['k']\n",
    )
    mine = for_variant(spec.load(folder), {"k": 7})
    found = tolerances(pack.on_bench(mine))
    assert found.aspect.sound
    assert not found.aspect.findings


# --- high precision -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("np.linalg.eigvalsh(np.outer(x, x))", "linalg.eigvalsh"),
        ("np.fft.fft(x).real", "fft.fft"),
        ("np.array([float(np.percentile(x, 20))])", "percentile"),
    ],
)
def test_what_cannot_be_worked_out_in_high_precision_is_said(tmp_path, line, named):
    reference = f"import numpy as np\n\n\ndef answer(x):\n    return {line}\n"
    found = tolerances(pack.bench(tmp_path, reference=reference, more=""))
    notes = "\n".join(n.text for n in pack.findings(found, Level.NOTE))
    assert f"Not worked out with 50 digits: answer ({named})" in notes or "long double" not in notes
    assert found.aspect.sound


def test_what_takes_too_long_in_high_precision_is_given_up(tmp_path):
    offered = catalogue(pack.bench(tmp_path).pack, draws=1, exact_time_s=0.0)
    exact = next(f for f in offered.formulations if "digits" in f.name)
    with pytest.raises(Unavailable, match="too long"):
        exact.functions["answer"](np.ones(3))


def test_only_ways_that_were_run_are_counted(tmp_path):
    ways = tolerances(pack.bench(tmp_path / "all", quick=True)).aspect.summary
    no_digits = "import numpy as np\n\n\ndef answer(x):\n    return np.fft.fft(x).real\n"
    fewer = tolerances(pack.bench(tmp_path / "fft", reference=no_digits, more="", quick=True))
    assert int(fewer.aspect.summary.split()[0]) < int(ways.split()[0])


def test_a_reference_that_cannot_be_loaded_otherwise_is_said_and_the_rest_is_tried(tmp_path):
    odd = "import numpy as np\n\nassert type(np).__name__ == 'module'\n\n\n" \
          "def answer(x):\n    return np.exp(x)\n"  # fmt: skip
    found = tolerances(pack.bench(tmp_path, reference=odd, more=""))
    notes = "\n".join(n.text for n in pack.findings(found, Level.NOTE))
    assert "with 50 digits" in notes
    assert "AssertionError" in notes
    assert pack.spread(found).honest > 0


@given(st_np.arrays(float, st.integers(1, 6), elements=st.floats(-50, 50)))
def test_numbers_survive_high_precision_to_the_last_digit(x):
    assert (lowered(lifted(x)) == x).all()


@pytest.mark.parametrize(
    "name", "exp sin cos tanh arctan square expm1 abs sign floor mean var std sum sort".split()
)
def test_functions_in_high_precision_agree_with_numpy(name):
    x = np.array([-1.25, 0.5, 3.0, 0.125])
    ours = lowered(getattr(NUMPY, name)(lifted(x)))
    np.testing.assert_allclose(ours, getattr(np, name)(x), rtol=1e-14)


def test_linear_algebra_in_high_precision_agrees_with_numpy():
    rng = np.random.default_rng(0)
    a, wide, b = rng.normal(size=(4, 4)), rng.normal(size=(3, 5)), rng.normal(size=4)
    pairs = [
        (NUMPY.linalg.solve(lifted(a), lifted(b)), np.linalg.solve(a, b)),
        (NUMPY.linalg.inv(lifted(a)), np.linalg.inv(a)),
        (NUMPY.linalg.det(lifted(a)), np.linalg.det(a)),
        (NUMPY.linalg.norm(lifted(a), axis=0), np.linalg.norm(a, axis=0)),
        (NUMPY.linalg.lstsq(lifted(wide), lifted(b[:3]))[0], np.linalg.lstsq(wide, b[:3])[0]),
        (NUMPY.linalg.pinv(lifted(wide.T)), np.linalg.pinv(wide.T)),
    ]
    for ours, theirs in pairs:
        np.testing.assert_allclose(lowered(ours), theirs, rtol=1e-11)


# --- the rewritings -----------------------------------------------------------------------------

EVERYTHING = """
import math
import numpy as np
from numpy.linalg import norm


def answer(a, b, y):
    z = np.exp(a - b) / np.exp(b).sum() + np.log(y * y) - np.log(y / 2.5)
    m = np.outer(a, b)
    return [
        z, m @ a, a @ m, a @ b, m.T @ m, m.mean(axis=0), np.sum(m, axis=1), m.sum(), a**2,
        np.power(y, 3), norm(a), np.sqrt(y), np.dot(m, b), m.mean(axis=1, keepdims=True),
        math.exp(a[0] - b[0]), sum([0.1, 0.2, 0.3]), y**0.5, a.dot(b), np.mean(a),
    ]
"""
VECTORS = st_np.arrays(float, 4, elements=st.floats(-4, 4, allow_subnormal=False))


@pytest.fixture(scope="module")
def ways(tmp_path_factory) -> list[tuple[Dialect, object]]:
    from grader.verify.formulations.load import load

    more = "def inputs(rng):\n    import numpy as np\n    from grader import Case\n" \
           "    yield Case(np.ones(4), np.ones(4), np.ones(4))\n"  # fmt: skip
    folder = tmp_path_factory.mktemp("everything")
    bench = pack.bench(folder, reference=EVERYTHING, inputs=more, more="")
    dialects = [*rounding.dialects(), exact_numpy.dialect()]
    return [(dialect, load(bench.pack, dialect)["answer"]) for dialect in dialects]


@given(VECTORS, VECTORS)
def test_every_rewriting_is_equal_but_for_rounding(ways, a, b):
    y = np.abs(a) + 0.5
    plain = ways[0][1](a, b, y)
    for dialect, function in ways[1:]:
        given_ = map(lifted, (a, b, y)) if "digits" in dialect.name else (a, b, y)
        other = function(*given_)
        other = lowered(other) if "digits" in dialect.name else other
        for theirs, ours in zip(other, plain, strict=True):
            assert np.shape(theirs) == np.shape(ours)
            np.testing.assert_allclose(theirs, ours, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("extreme", [0.0, 1e-310, 1e300, -1e300, 800.0, math.inf, math.nan])
def test_no_rewriting_overflows_where_the_plain_way_does_not(ways, extreme):
    x = np.array([extreme, 1.0, -2.0, 0.5])
    y = np.abs(x) + 1.0
    with np.errstate(all="ignore"):
        plain = ways[0][1](x, x, y)
        for _, function in ways[1:-1]:
            for theirs, ours in zip(function(x, x, y), plain, strict=True):
                was = np.isfinite(np.asarray(ours))
                assert np.isfinite(np.asarray(theirs))[was].all()


# --- distances ----------------------------------------------------------------------------------

NUMBERS = st.floats(allow_nan=True, allow_infinity=True, width=32)
ARRAYS = st_np.arrays(float, st.integers(0, 3), elements=NUMBERS)
VALUES = st.one_of(
    NUMBERS, ARRAYS, st.integers(-9, 9), st.booleans(), st.text(max_size=2), st.none(),
    st.lists(NUMBERS, max_size=3), st.tuples(ARRAYS, NUMBERS),
)  # fmt: skip


@given(VALUES, VALUES)
def test_a_distance_of_at_most_1_is_what_passes(returned, expected):
    tolerance = Tolerance(1e-3, 1e-6)
    apart = distance(returned, expected, tolerance)
    with np.errstate(all="ignore"):
        close = compare(returned, expected, tolerance).close
    assert apart >= 0
    assert close == (apart <= 1) or apart == pytest.approx(1)


@given(ARRAYS)
def test_a_value_lies_nowhere_but_at_itself(value):
    assert distance(value, value, Tolerance(0.0, 0.0)) == 0
    assert distance(value.tolist(), value, Tolerance(1e-3, 0.0)) == 0
