"""The part of LaTeX that is understood (see `latex`): its commands, by what they become."""

from __future__ import annotations

IDENTIFIERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε",
    "zeta": "ζ", "eta": "η", "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
    "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "ϕ", "varphi": "φ",
    "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ",
    "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "infty": "∞", "ell": "ℓ", "top": "⊤",
    "intercal": "⊺", "emptyset": "∅", "partial": "∂", "nabla": "∇", "dots": "…", "ldots": "…",
    "cdots": "⋯", "vdots": "⋮", "prime": "′",
}  # fmt: skip
OPERATORS = {
    "cdot": "⋅", "times": "×", "pm": "±", "circ": "∘", "odot": "⊙", "otimes": "⊗", "le": "≤",
    "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "ll": "≪", "gg": "≫", "approx": "≈",
    "sim": "∼", "simeq": "≃", "cong": "≅", "equiv": "≡", "propto": "∝", "in": "∈", "notin": "∉",
    "subset": "⊂", "subseteq": "⊆", "cup": "∪", "cap": "∩", "to": "→", "rightarrow": "→",
    "Rightarrow": "⇒", "implies": "⟹", "iff": "⟺", "mapsto": "↦", "perp": "⊥", "mid": "∣",
    "parallel": "∥", "forall": "∀", "exists": "∃", "colon": ":", "sum": "∑", "prod": "∏",
    "int": "∫", "langle": "⟨", "rangle": "⟩", "lVert": "‖", "rVert": "‖", "Vert": "‖",
    "lvert": "|", "rvert": "|", "vert": "|", "{": "{", "}": "}", "|": "‖", "%": "%", "&": "&",
    "#": "#", "$": "$", "_": "_", "lbrace": "{", "rbrace": "}", "-": "−",
}  # fmt: skip
FUNCTIONS = frozenset([
    "exp", "log", "ln", "max", "min", "sin", "cos", "tan", "arg", "argmax", "argmin", "lim",
    "sup", "inf", "det", "dim",
])  # fmt: skip
SPACES = {",": ".17em", ":": ".22em", ";": ".28em", " ": ".25em", "quad": "1em", "qquad": "2em"}
IGNORED = frozenset([
    "!", "displaystyle", "textstyle", "limits", "nolimits", "big", "Big", "bigl", "bigr", "Bigl",
    "Bigr", "bigg", "Bigg", "biggl", "biggr",
])  # fmt: skip
ACCENTS = {"hat": "^", "widehat": "^", "bar": "‾", "overline": "‾", "tilde": "~", "vec": "→"}
BLACKBOARD = {"C": "ℂ", "E": "𝔼", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"}
FENCES = frozenset("()[]{}|‖⟨⟩./")
ENVIRONMENTS = {
    "matrix": ("", ""), "pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "cases": ("{", ""),
    "aligned": ("", ""),
}  # fmt: skip
