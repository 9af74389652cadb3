"""English and Chinese words that count in any exercise: what negates, what hedges, where a clause
ends, which words fill, and which change nothing wherever they stand."""

from __future__ import annotations

from typing import Final

FILLERS: Final = frozenset(
    """the a an its their our his ( ) " 的 了 都 也 就 会 将 便 则""".split()
)
"""Tokens that may stand between any two tokens of a phrase."""

NEGATIONS: Final = frozenset(
    """
    not n't no never neither nor none nothing without dont doesnt isnt arent cant wont wouldnt
    shouldnt couldnt didnt wasnt hardly barely scarcely rarely seldom unlike unless fail fails
    failed failing lack lacks lacking ignore ignores ignored ignoring suppress suppresses
    suppressed prevent prevents avoid avoids exclude excludes excluding discard discards drop
    drops omit omits remove removes refuse refuses instead rather except excluded away
    impossible unable nowhere non ¬ ≉ ≯ ≱ ≮ ≰ ≠ ∉ ≢ ≄ ≇
    不 没 非 无 未 否 勿 莫 毫 免 忽 除 拒 难
    """.split()
)
"""What turns its clause around, or may."""

DENIALS: Final = frozenset(
    """
    wrong false falsely incorrect incorrectly untrue myth contrary contrarily opposite
    opposed misleading mistaken mistake mistakenly erroneous erroneously doubt doubtful
    disagree nonsense counterexample contradicts contradict contradiction fallacy supposedly
    allegedly
    """.split()
)
"""What turns the whole answer around, or may."""

HAN_DENIALS: Final = ("错误", "相反", "反而", "并非", "误解", "不对", "误认", "怀疑")

HEDGES: Final = frozenset(
    """
    maybe perhaps possibly probably guess guessing unsure sometimes often usually
    occasionally seldom idk somehow supposed presumably apparently whatever
    """.split()
)
"""What leaves open whether the answer means it."""

HAN_HEDGES: Final = ("也许", "可能", "大概", "或许", "有时", "猜")

HARMLESS: Final = (
    *("no matter", "not only", "nothing but", "nothing else", "nothing more", "no longer"),
    *("why not", "no doubt", "without loss of generality", "right away", "straight away"),
    *(
        "非常",
        "不同",
        "无论",
        "不管",
        "无穷",
        "不断",
        "除以",
        "相除",
        "除了",
        "不仅",
        "不但",
        "不只",
    ),
    *("越来越", "毫无疑问", "难怪"),
)
"""Where a negation is none."""

BREAKS: Final = frozenset(
    """, ; : — but while whereas although though because since so and which hence thus therefore
    however as 但 而 因 所 且 并""".split()
)
"""Where a clause ends."""

FUNCTION: Final = frozenset(
    """
    the a an is are was be been being will would can could may might must should has have had do
    does of to and that which with in for on at by than as it its they them their this these we
    you i if when where because since so from or 's get gets become
    becomes make makes give gives
    的 与 和 是 会 为 在 当 把 将 到 于 时 且 而 则 所 被 对 就 等 可 以 个 某 只 能 让 使 其
    这 那 也 一 了 都 由 即 要 需 很 最
    """.split()
)
"""Words that a list of keywords lacks."""

RELATIONS: Final = frozenset("= ≈ ≫ ≪ ≥ ≤ > < → ∈ ∀ ∝ ≠".split())

OPERATORS: Final = frozenset("+ - / · ^ ^t ± × √".split())
"""Signs that make what stands beside them part of a larger formula."""


NEUTRAL: Final = FILLERS | frozenset(
    """
    a about above accordingly act again all allow already also although always an analogous and
    answer any apply are as ask at axiom basic basically be because cause become becoming been
    being both by calculate call can case category categorical certain certainly characteristic
    choose class clear clearly come completely compute concept condition consequently consider
    construct construction correct course deduce define definition depend derive describe
    description directly discrete distribution do doing done due during each easily easy effect
    effectively either enable end ensure entire entirely equation especially essence essential
    essentially etc ever every everything everywhere exact exactly example exist explain
    explanation express expression fact fairly final finally find first follow following for
    form formal formally formula from fulfil fulfill fully function fundamental furthermore
    further general generally get given giving go going good got guarantee happen has have
    having hence here hold how i idea immediately imply in indeed indicate input instance
    interpret interpretable interpretation into intuition intuitive intuitively is it item its
    itself just key kind know known label language last law lead learn legitimate let like
    literally look made main mainly make making mathematical mathematically math may meaning
    means meet member mention moreover must name namely natural naturally necessarily necessary
    need next note notice now object obey observe obtain obvious obviously occur of on one or
    other our outcome output over overall own part particular particularly people perfect
    perfectly picture point possible practical precisely principle probability probable problem
    procedure process produce proper properly property prove provide put question quite realize
    really reason recall reduce refer regard regardless remember represent representation
    require requirement respective respectively result right role rule said same satisfy
    satisfying say second see seen self sense set should show shown similarly simple simply
    simultaneously since situation so space speak specific specifically standard state statement
    step still structure such suffice sufficient sure task tell term terms text than thanks that
    the their them themselves then theoretical theory there thereby therefore these they thing
    think third this those three thus to together too treat true truly turn two type typical
    typically under understand up upon us use used useful using valid very view via want way we
    well what when whenever where which who whole whose why will with within word work write
    yield you your 's am was th st nd rd ith jth nth kth e g i.e ca wo
    take whichever consist among per onto thereof hereby likewise namely pretty overall
    able ability helpful interesting surely exactly instance case similarly vice versa
    """.split()
)
"""Words that change nothing of what an answer says, whatever it is about."""

HAN_NEUTRAL: Final = frozenset(
    "一上下与且个中为么义之乎也了于些从他代以们件任会体何作使例便保候像全公其再况几则到十即原又"
    "及句可各合同后含味和因在基够如它定实对将就已常并应式当很得思性总情意成我所才把按换据整时明"
    "是有本条来极果某样根此每比满照理用由的直看着确示种称符等算经结者而能行表被要观视解计让讲证"
    "话该说质起足跟过还这进通那部都释里需非项"
)

LINKS: Final = FILLERS | frozenset(
    """
    about above absolutely actually all almost already also always am among an and any
    approximately approx are around as at be been being basically both by can certainly
    clearly closely completely considerably could do does each effectively either entirely
    especially essentially even every everywhere exactly ever extremely fairly for from
    fully generally given going greatly has have having heavily highly i.e in indeed into is
    it its itself just largely likely mainly merely more most mostly much must namely nearly
    necessarily now of on one only or our over overall overwhelmingly particularly perfectly
    practically precisely predominantly pretty primarily purely quite really relatively
    respectively roughly same shall should significantly simply since so solely some
    specifically still strictly strongly substantially such than that the their them then
    there therefore these they this those through thus to together too totally truly under
    up us very via virtually was way we well were what when where which while who whole
    whose will with within would you your 's th need needs get gets got getting becomes
    become becoming end ends out said say gives give makes make let lets done hence because
    if let's
    """.split()
)
"""Little words, which may stand in a gap without changing what is on its two sides."""

HAN_LINKS: Final = frozenset(
    "一与且个之乎也了于些会作使便候全其几分则十可各同和因在地均够始定将就常应当很得必总恒成所把"
    "时是有来极此每的着终而能被要让该跟这那部都需非须"
)
