"""How signs are read: which characters and LaTeX commands stand for which token."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

_SAME: Final[Mapping[str, str]] = {
    "≈": "≅≃≊∼~≒≐⩰≋∽",
    "≫": "⋙⪢",
    "≪": "⋘⪡",
    "≥": "≧⩾⪰≽",
    "≤": "≦⩽⪯≼",
    "=": "≡≜≔≝≕",
    "·": "⋅∙•×∗⊙∘・‧",
    "-": "−‐‑⁃﹣",
    "/": "⁄∕÷",
    "→": "⟶➔➝↦⇢➡",
    "⇒": "⟹⇔⟺∴",
    "⊤": "⊺┬⏉",
    "⊥": "⟂⫫",
    "∑": "Σ⅀𝛴",
    "α": "ɑ⍺",
    "ε": "ϵ",
    "<": "⟨〈⟪",
    ">": "⟩〉⟫",
    '"': "“”„‟«»「」『』《》〝〞‹›`",
    "'": "’‘ʼ′´ʹ＇‛",
    ",": "、﹐",
    "。": "｡",
    "¬": "\u0338\u0337\u0336",
}
CHARACTERS: Final[Mapping[str, str]] = {
    other: sign for sign, others in _SAME.items() for other in others
}


def _greek() -> dict[str, str]:
    names = {}
    for code in range(0x391, 0x3CA):
        if name := unicodedata.name(chr(code), ""):
            names[chr(code)] = name.split()[-1].lower()
    return names


GREEK: Final[Mapping[str, str]] = _greek()
"""α → alpha; Σ never gets here, since it is read as ∑."""

COMMANDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("approx", "simeq", "cong", "sim", "thickapprox", "approxeq", "doteq"), "≈"),
    **dict.fromkeys(("gg", "ggg", "ggcurly"), "≫"),
    **dict.fromkeys(("ll", "lll"), "≪"),
    **dict.fromkeys(("ge", "geq", "geqslant", "geqq", "gtrsim"), "≥"),
    **dict.fromkeys(("le", "leq", "leqslant", "leqq", "lesssim"), "≤"),
    **dict.fromkeys(("ne", "neq"), "≠"),
    **dict.fromkeys(("cdot", "times", "bullet", "ast", "odot", "circ"), "·"),
    **dict.fromkeys(("to", "rightarrow", "longrightarrow", "mapsto", "xrightarrow"), "→"),
    **dict.fromkeys(("Rightarrow", "implies", "iff", "Leftrightarrow", "therefore"), "⇒"),
    **dict.fromkeys(("dots", "ldots", "cdots", "dotsc", "dotsb"), ","),
    **dict.fromkeys(("Vert", "lVert", "rVert", "|"), "‖"),
    **dict.fromkeys(("vert", "lvert", "rvert", "mid"), "|"),
    **dict.fromkeys(("top", "intercal", "transpose"), "⊤"),
    **dict.fromkeys(("perp", "bot"), "⊥"),
    **dict.fromkeys(("setminus", "backslash", "smallsetminus"), "∖"),
    "gt": ">", "lt": "<", "langle": "<", "rangle": ">", "infty": "∞", "Sigma": "∑", "forall": "∀",
    "exists": "∃", "in": "∈", "notin": "∉", "sum": "∑", "not": "¬", "neg": "¬", "lnot": "¬",
    "parallel": "∥", "pm": "±", "because": "because", "propto": "∝", "prime": "'", "lbrack": "[",
    "rbrack": "]", "%": "%", "&": "and", "_": "_", "nmid": "¬", "ngtr": "≯", "nless": "≮",
    "ngeq": "≱", "nleq": "≰", "ncong": "≉", "nsim": "≉",
}  # fmt: skip

INVISIBLE: Final[frozenset[str]] = frozenset(
    """
    text textbf textit textrm texttt textsf textnormal emph mathrm mathbf mathit mathsf
    mathtt mathcal mathbb mathfrak mathop mathnormal operatorname boldsymbol bm pmb vec hat
    bar tilde overline underline widehat widetilde underbrace overbrace left right middle
    big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr displaystyle textstyle scriptstyle
    limits nolimits quad qquad hspace vspace hfill noindent par newline item rm bf it label
    ensuremath phantom mbox hbox boxed thinspace enspace space
    """.split()
)  # fmt: skip

ENTITIES: Final[Mapping[str, str]] = {
    "&gt;&gt;": "≫", "&lt;&lt;": "≪", "&gt;": ">", "&lt;": "<", "&ge;": "≥", "&le;": "≤",
    "&ne;": "≠", "&amp;": "&", "&asymp;": "≈", "&alpha;": "α", "&sum;": "∑", "&infin;": "∞",
    "&rarr;": "→", "&middot;": "·", "&sdot;": "·", "&quot;": '"', "&sim;": "≈", "&cong;": "≈",
    "&top;": "⊤", "&gg;": "≫", "&ll;": "≪",
}  # fmt: skip

OPERATORS: Final[Mapping[str, str]] = {
    ">>>": "≫", ">>": "≫", "<<<": "≪", "<<": "≪", ">=": "≥", "=>": "⇒", "<=": "≤", "=<": "≤",
    "!=": "≠", "=/=": "≠", "/=": "≠", "~=": "≈", "=~": "≈", "~~": "≈", "≈≈": "≈", "≈=": "≈",
    "=≈": "≈", "==": "=", "===": "=", "->": "→", "-->": "→", "--": "—", "---": "—", "||": "‖",
    "**": "", "$$": "", ":=": "=", "+-": "±",
}  # fmt: skip
