"""How signs are read: which characters and LaTeX commands `written_reading` takes for which token."""

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
    "-": "−‐‑⁃﹣",  # noqa: RUF001
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
    **{name: "≈" for name in ("approx", "simeq", "cong", "sim", "thickapprox", "approxeq", "doteq")},
    **{name: "≫" for name in ("gg", "ggg", "ggcurly")},
    **{name: "≪" for name in ("ll", "lll")},
    **{name: "≥" for name in ("ge", "geq", "geqslant", "geqq", "gtrsim")},
    **{name: "≤" for name in ("le", "leq", "leqslant", "leqq", "lesssim")},
    **{name: "≠" for name in ("ne", "neq")},
    **{name: "·" for name in ("cdot", "times", "bullet", "ast", "odot", "circ")},
    **{name: "→" for name in ("to", "rightarrow", "longrightarrow", "mapsto", "xrightarrow")},
    **{name: "⇒" for name in ("Rightarrow", "implies", "iff", "Leftrightarrow", "therefore")},
    **{name: "," for name in ("dots", "ldots", "cdots", "dotsc", "dotsb")},
    **{name: "‖" for name in ("Vert", "lVert", "rVert", "|")},
    **{name: "|" for name in ("vert", "lvert", "rvert", "mid")},
    **{name: "⊤" for name in ("top", "intercal", "transpose")},
    **{name: "⊥" for name in ("perp", "bot")},
    **{name: "∖" for name in ("setminus", "backslash", "smallsetminus")},
    "gt": ">", "lt": "<", "langle": "<", "rangle": ">", "infty": "∞", "Sigma": "∑", "forall": "∀",
    "exists": "∃", "in": "∈", "notin": "∉", "sum": "∑", "not": "¬", "neg": "¬", "lnot": "¬",
    "parallel": "∥", "pm": "±", "because": "because", "propto": "∝", "prime": "'", "lbrack": "[",
    "rbrack": "]", "%": "%", "&": "and", "_": "_", "nmid": "¬", "ngtr": "≯", "nless": "≮",
    "ngeq": "≱", "nleq": "≰", "ncong": "≉", "nsim": "≉",
}  # fmt: skip

INVISIBLE: Final[frozenset[str]] = frozenset(
    """text textbf textit textrm texttt textsf textnormal emph mathrm mathbf mathit mathsf mathtt mathcal
    mathbb mathfrak mathop mathnormal operatorname boldsymbol bm pmb vec hat bar tilde overline
    underline widehat widetilde underbrace overbrace left right middle big Big bigg Bigg bigl bigr
    Bigl Bigr biggl biggr displaystyle textstyle scriptstyle limits nolimits quad qquad hspace
    vspace hfill noindent par newline item rm bf it label ensuremath phantom mbox hbox boxed
    thinspace enspace space dfrac tfrac""".split()
) - {"dfrac", "tfrac"}  # fmt: skip

ENTITIES: Final[Mapping[str, str]] = {
    "&gt;&gt;": "≫", "&lt;&lt;": "≪", "&gt;": ">", "&lt;": "<", "&ge;": "≥", "&le;": "≤", "&ne;": "≠", "&amp;": "&", "&asymp;": "≈",
    "&alpha;": "α", "&sum;": "∑", "&infin;": "∞", "&rarr;": "→", "&middot;": "·", "&sdot;": "·",
    "&quot;": '"', "&sim;": "≈", "&cong;": "≈", "&top;": "⊤", "&gg;": "≫", "&ll;": "≪",
}  # fmt: skip

OPERATORS: Final[Mapping[str, str]] = {
    ">>>": "≫", ">>": "≫", "<<<": "≪", "<<": "≪", ">=": "≥", "=>": "⇒", "<=": "≤", "=<": "≤",
    "!=": "≠", "=/=": "≠", "/=": "≠", "~=": "≈", "=~": "≈", "~~": "≈", "≈≈": "≈", "≈=": "≈", "=≈": "≈", "==": "=", "===": "=",
    "->": "→", "-->": "→", "--": "—", "---": "—", "||": "‖", "**": "", "...": ",", "..": ",",
    "$$": "", ":=": "=", "+-": "±",
}  # fmt: skip
