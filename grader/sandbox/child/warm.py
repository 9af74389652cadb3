"""What is loaded before any student code: so that a child need not read it, and starts fast."""

from __future__ import annotations

import gc
import importlib
import warnings

import numpy as np

# What nearly every submission uses, and what the child itself needs.
_ALWAYS = (
    "collections copy dataclasses encodings.idna encodings.latin_1 encodings.utf_16 "
    "encodings.utf_8_sig enum functools io itertools json linecache math operator random re string "
    "time traceback types typing warnings numpy.linalg numpy.random"
)
# Where nothing can be read by path, a child has these and no others.
_WITHOUT_FILES = (
    "abc bisect cmath contextlib csv datetime decimal fractions heapq numbers pprint queue "
    "statistics textwrap timeit unicodedata uuid numpy.fft numpy.ma numpy.polynomial numpy.matlib"
)


def warm_up(extra: list[str], *, files: bool) -> None:
    """Import what is preloaded, and `extra`, and freeze the heap for forking.

    `files` tells whether a child will be able to read modules by itself.
    """
    names = [*_ALWAYS.split(), *([] if files else _WITHOUT_FILES.split()), *extra]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            importlib.import_module(name)
    # One product loads the BLAS kernels; one error path loads what formats it.
    square = np.ones((4, 4)) @ np.ones((4, 4))
    np.linalg.solve(square + np.eye(4), np.ones(4))
    np.array2string(square)
    gc.collect()
    gc.freeze()
    gc.disable()
