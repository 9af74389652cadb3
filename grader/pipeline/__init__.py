"""The pipeline: the steps in order, and the only place that composes them.

`prepare` makes a pack ready once; `Grading` takes one submission through run, check and score;
`grade_class` does it for many, in parallel, recording each as it is done.
"""
