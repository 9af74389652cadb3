"""Loaded on first use."""

ANSWER = 42
