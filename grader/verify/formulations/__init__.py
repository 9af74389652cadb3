"""Other ways of working out the right answers: a pack's reference in other precisions, summed in
other orders, and rewritten by rules that change nothing but the rounding.

Each is what an honest student might hand in, so each must pass.
"""
