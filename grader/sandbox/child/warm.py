"""What is loaded before any student code: so that a child need not read it, and starts fast."""

from __future__ import annotations

import gc
import importlib
import warnings

import numpy as np

# Preloaded so that a child need not read them, and so that the first use costs nothing; where
# files cannot be read at all, these are the standard library that student code has.
_PRELOAD = (
    "abc bisect cmath collections contextlib copy csv dataclasses datetime decimal encodings.idna "
    "encodings.latin_1 encodings.utf_16 encodings.utf_8_sig enum fractions functools heapq io "
    "itertools json linecache math numbers operator pprint queue random re statistics string "
    "textwrap time timeit traceback types typing unicodedata uuid warnings "
    "numpy.linalg numpy.random numpy.fft numpy.ma numpy.polynomial numpy.matlib"
)


def warm_up(extra: list[str]) -> None:
    """Import everything that is preloaded, and `extra`, and freeze the heap for forking."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in (*_PRELOAD.split(), *extra):
            importlib.import_module(name)
    # One product loads the BLAS kernels; one error path loads what formats it.
    square = np.ones((4, 4)) @ np.ones((4, 4))
    np.linalg.solve(square + np.eye(4), np.ones(4))
    np.array2string(square)
    gc.collect()
    gc.freeze()
    gc.disable()
