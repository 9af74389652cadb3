"""Judging what was seen: one module a kind of criterion, each with a `check` that gives a result.

A check looks at facts alone (observations, answers) and always says why.
"""
