"""Fuzzing what reads the untrusted: one target a reader, each with oracles beyond “no exception”.

``python -m fuzz TARGET`` looks for inputs guided by coverage; the tests run every target over its
seeds and over inputs that Hypothesis makes.
"""
