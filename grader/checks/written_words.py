"""English and Chinese words that `written_matching` needs in any exercise: what negates, what
hedges, where a clause ends, which words fill, and which are so ordinary that a gap may hold them."""

from __future__ import annotations

from typing import Final

FILLERS: Final = frozenset(
    """the a an its their our his ( ) " 的 了 都 也 就 会 将 便 是 则""".split()
) - {"是"}
"""Tokens that may stand between any two tokens of a phrase."""

NEGATIONS: Final = frozenset(
    """not n't no never neither nor none nothing without dont doesnt isnt arent cant wont wouldnt
    shouldnt couldnt didnt wasnt hardly barely scarcely rarely seldom unlike unless fail fails failed
    failing lack lacks lacking ignore ignores ignored ignoring suppress suppresses suppressed
    prevent prevents avoid avoids exclude excludes excluding discard discards drop drops omit omits
    remove removes refuse refuses instead rather except excluded away impossible unable nowhere
    non ¬ ≉ ≯ ≱ ≮ ≰ ≠ ∉ ≢ ≄ ≇ 不 没 非 无 未 否 勿 莫 毫 免 忽 除 拒 难""".split()
)
"""What turns its clause around, or may."""

DENIALS: Final = frozenset(
    """wrong false falsely incorrect incorrectly untrue myth contrary contrarily opposite opposed
    misleading mistaken mistake mistakenly erroneous erroneously doubt doubtful disagree nonsense
    counterexample contradicts contradict contradiction fallacy supposedly allegedly""".split()
)
"""What turns the whole answer around, or may."""

HAN_DENIALS: Final = ("错误", "相反", "反而", "并非", "误解", "不对", "误认", "怀疑")

HEDGES: Final = frozenset(
    """maybe perhaps possibly probably guess guessing unsure sometimes often usually occasionally
    seldom idk somehow supposed presumably apparently whatever""".split()
)
"""What leaves open whether the answer means it."""

HAN_HEDGES: Final = ("也许", "可能", "大概", "或许", "有时", "猜")

HARMLESS: Final = ("非常", "不同", "无论", "不管", "无穷", "不断", "除以", "相除", "no matter",
    "not only", "nothing but", "nothing else", "nothing more", "no longer", "rather similar",
    "why not", "除了", "不仅", "不但", "不只", "越来越", "毫无疑问", "no doubt", "without loss of generality",
    "non linear", "right away", "straight away", "难怪")  # fmt: skip
"""Where a negation is none."""

BREAKS: Final = frozenset(
    """, ; : — but while whereas although though because since so and which hence thus therefore
    however as 但 而 因 所 且 并""".split()
)
"""Where a clause ends."""

FUNCTION: Final = frozenset(
    """the a an is are was be been being will would can could may might must should has have had do
    does of to and that which with in for on at by than as it its they them their this these we you
    i if when where because since so from or 's all both every each 1 one
    的 与 和 是 会 为 在 当 把 将 到 于 时 且 而 则 所 被 对 就 等""".split()
)
"""Words that a list of keywords lacks."""

RELATIONS: Final = frozenset("= ≈ ≫ ≪ ≥ ≤ > < → ∈ ∀ ∝ ≠".split())

OPERATORS: Final = frozenset("+ - / · ^ ^t ± × √".split())
"""Signs that make what stands beside them part of a larger formula."""

COMMON: Final = frozenset(
    """
    a able about above accordingly account across act acts actual actually add added adding adds
    after again against all allow allowing allows almost alone along already also although altogether
    always among amount amounts an and another answer any anything apart appear appears applied apply
    applying approach approaches are area around as ask asks aspect aspects associated assign
    assigned assigning assigns assume assuming at attain attains attached attach away back based basic
    basically be became because become becomes becoming been before behave behaves being believe belong belongs
    below best better between beyond big bigger biggest both bring brings build built but by
    calculate calculated calculation call called can care case cases categorical category categories
    cause caused causes causing certain certainly change changed changes chance choice choose chooses
    choosing chosen clear clearly close closely combination combined combine come comes coming common
    compare compared comparing comparison complete completely component components compute computed
    computes computing concentrate concentrated concentrates concept condition conditions consequence
    consequently consider considered consist consisting consists constant contain containing contains
    content context contribute contributes contributing contribution contributions control converge converges correct
    correctly correspond corresponding correspondingly corresponds could course create created criteria
    data deal decide decides decreasing define defined defines definition definitions denominator depend depending depends
    describe described describes desired despite detail determine determined determines dimension
    dimensions direct direction directions directly discrete distinct distribute distributed
    distribution distributions divide divided divides dividing division do does doing dominant done
    down due during e each easily easy effect effectively either element elements else end ends enough
    ensure ensured ensures ensuring entire entirely entries entry equal equality equally equals equation
    especially essence essential essentially even event ever every everything everywhere exact exactly
    example exceed exceeding exist existing exists exp expect expected explain exponent exponential
    exponentially exponentiate exponentiated exponentiates exponentiation exponentials expression
    extent extra extract extracted extracts extreme extremely fact factor fairly fall falls fast favor few
    final finally find finding finds first fit fits fix fixed focus focused focuses focusing follow followed following
    follows for force forces form formally former formula forms fraction fractions from full fully
    function functions further general generally generated get gets getting give given gives giving go goes going
    good got great greater greatest greatly group guarantee guaranteed guarantees had hand happen
    happening happens hard has have having he heavily hence here high higher highest highly hold holds
    how however huge i idea identical if illustrate imagine immediately implied implies imply important in
    include included includes including increase increases increasing indeed independent index
    individual info information input inputs inside interpret interpretation interpreted interpreting
    interval into intuition intuitive intuitively involve irrespective is it items item itself just keep
    keeping keeps kept kind know known large largely larger largest last later latter law lead leading
    leads learn learned least leave leaves left length let lets letting lie lies lift like likelihood
    likely limit limited line linear linearly lines list little located location log long longer look
    looking looks lot lots low magnitude main mainly majority make makes making manner many map mapped
    maps mass math mathematical mathematically matter matters max maximal maximum maximally may me
    mean meaning means meant measure measures mechanism meet meets member members mention might model
    models modeled more moreover most mostly much multiple multiplied multiply must my n name namely
    natural nature near nearby nearest nearly necessarily necessary need needed needs negligible net
    new next nice normal notably note notice now number numbers numerator numerators object observe obtain obtained
    occur occurs of off on once one ones only onto operation option options or order orders ordinary
    original other others otherwise our out outcome outcomes over overall overwhelming overwhelmingly
    own pair part particular particularly parts pass passed passes passing past per perfect perfectly
    perform picture place placed places play plus point pointing points portion position positions possess
    possesses possible practical practically practice pre precise precisely predominantly prefer present
    pretty previous primarily principle prob probabilities probability probable procedure process processed produce produced
    produces producing product properties property proportion proportional proportionally proportions
    proven provide provided provides purpose put puts putting quantities quantity quick quickly quite
    random range ranges ranging rank rather ratio ratios reach reaches reaching read real reality
    really reason reasonable receive receives recall record records reflect refer referred reflected regard regarded
    regardless region relate related relation relationship relative relatively relevance relevant
    rely remain remaining remains remember represent representation represented representing
    represents require required requirement requirements requires rescaled respect respective
    respectively rest result resulting results retrieve retrieves return returned returns right rough
    roughly row rows rule said same sample satisfied satisfies satisfy satisfying satisfied say saying
    says scalar scale scaled scales scaling scalars search second section see seen select selected selecting selection
    selects sense separate sequence set sets setting several shall share shared shares sharp sharply
    she short should show showing shown shows side significant significantly simple simpler simply
    single situation small smooth so soft some something soon sort space special specific specifically
    spread stand standard stands state stated statement states step still store stored stores strength strict strictly
    strong stronger strongest strongly subject such suffices sufficient sufficiently suggests suitable sum summed summing
    summation suppose sure system systems take taken takes taking talk target task tell tells tend tends term terms text than
    thanks that thats the their them themselves then there thereby therefore these they thing things
    think third this those though three through throughout thus tied time times tiny to together token
    tokens too top total totals toward towards transform transformed transforms treat treated treats true truly
    turn turned turning turns two type types typical ultimately under understand unique uniquely unit units unnormalized
    until up upon us use used useful uses using valid vast vastly very via view viewed want wants
    was way ways we weigh weighing weighs weight weighted weights weighting well were what when whenever where
    whereas whether which whichever while who whole whose why wide will wins winner winning wise with within word words
    work works world would write written x y yes yield yielding yields you your z zero
    attention attend attends attended attending softmax softmaxed transformer transformers layer layers network head heads
    vector vectors matrix scores score logits logit output outputs encode encodes encoded embedding
    representing semantically semantic meaningful axiom axioms kolmogorov pmf simplex formal hit hits asked
    assigned lookup dictionary database engine python soft retrieval corresponds query queries key keys
    """.split()
)
"""Ordinary words: a gap in a phrase may hold these, and only these."""

HAN_COMMON: Final = frozenset(
    "的了都也就会将便是则一个某这那种样些所有每各和与跟同以及或者在于当时候之中里上下前后"
    "而且但因为所以如果那么从到对把被让使得可能够应该要需来去做用作为成等约近似接几乎完全"
    "非常很极其更最比较大小高低多少强弱主要只仅单其他余另外它们我你他自己本身相应对应关联"
    "向量值键查询权重注意力输出入结果复制拷贝选择取返回匹配点积内积远超过等于分布概率率离散"
    "类别正负数零元素项总求加起归化函指性质满足定义解释看成视即此情况下意味着直观上也就说"
    "机制模型关集聚中词位置信息内容找到最直接基本给出第号表示代计算通经过后由此进行保证确证能"
    "间范围并组合全部地得着过还再又才已经像似如同字典索搜索根据按照其原始新特定关键重叠明显"
    "哪谁什么何"
    "倍数量级差距远远十分越好就是那个起来恒必须变几整体两者具有者"
)
