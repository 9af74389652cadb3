"""No misconceptions: the peer names none either."""
