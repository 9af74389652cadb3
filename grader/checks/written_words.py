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
    的 与 和 是 会 为 在 当 把 将 到 于 时 且 而 则 所 被 对 就 等 可 以 个 某 只 能
    让 使 其 这 那 也 一 了 都 由 即 要 需 很 最""".split()
)
"""Words that a list of keywords lacks."""

RELATIONS: Final = frozenset("= ≈ ≫ ≪ ≥ ≤ > < → ∈ ∀ ∝ ≠".split())

OPERATORS: Final = frozenset("+ - / · ^ ^t ± × √".split())
"""Signs that make what stands beside them part of a larger formula."""

COMMON: Final = frozenset(
    """
    a ability able about above absolute abstract accept accordingly account accumulate accurate
    achieve across act action active actual add address adequate adjust advantage affect after
    afternoon again against age agree aim air algebra algorithm align all allocate allow almost
    alone along already also alternative although altogether always among amount ample amplify
    an analogous analogy analysis and angle announce another answer any anything apart apparent
    appear applied apply approach appropriate approximate april arbitrarily arbitrary are area
    argue argument arise around arrange array arrive article artificial as aside ask aspect
    assert assess assign associated assume assumption at attach attain attend attention attract
    attribute author automatic automatically available aware away axiom axis back balance base
    basic basically basis be bear beautiful became because become been before begin behave
    behavior behaviour behind being believe belong below beneath beside best better between
    beyond bias big bigger biggest bit blend board body both bottom bound boundary box branch
    breakdown brief bring broad bucket build built bunch but by calculate calculation calculus
    call can candidate capable capture care careful carry case cast catch categorical category
    cause center central centre certain chain chance change channel character characteristic
    characterize check child choice choose chosen circumstance cite claim class classic
    classification classifier classify clean clear clever close cluster code coefficient
    coherent coincide collection collective color column combination combine come comment common
    compact compare comparison compatible compete competition complete complex component
    compress comprise compute computer concentrate concept concern conclude conclusion concrete
    condition conditional confidence confident confirm connect connection consequence
    consequently conserve consider consist consistent constant constitute constrain constraint
    construct construction contain content context contrast contribute contribution control
    convenient convention conventional converge convert convex convey convince copy core corner
    correct correspond correspondence cosine cost could count couple course coverage create
    credit criteria criterion cross crucial current curve custom cut cycle daily data database
    dataset day deal debate decide decode decoder decreasing deep default define definition
    degree deliver demand demonstrate denominator denote dense density depend derivation derive
    descend describe design desired despite detail detect determine device diagram dictate
    dictionary difference different differentiable difficult diffuse digit dimension dimensional
    direct direction discover discrete discuss display disproportionately distance distinct
    distinguish distribute distribution diverse divide division do document does doing domain
    dominant dominate done door dot double down draw drive dual due during dynamic e each early
    earn ease easily easy edge education effect effectively effort eigenvalue either elaborate
    elegant element else embed embedding emerge emphasis emphasize empirical employ empty enable
    encode encoder encounter end energy engage engine english enjoy enormous enough ensure
    entail entire entity entropy entry environment equal equality equation equip equivalent
    especially essence essential establish estimate euclidean evaluate even event eventual ever
    every everything everywhere evident exact exaggerate exam example exceed excellent
    exceptional excess exclusive execute exercise exhibit exist exp expect experience experiment
    expert explain explanation explicit exponent exponential exponentiate exponentiation expose
    express expression extend extent external extra extract extreme eye face facilitate fact
    factor fairly fall family famous fashion fast favor feature feed feel fellow fetch few field
    figure file fill filter final find finite fire firm first fit fix flat flow focus follow
    food for force foremost form formal former formula forth fortunately forward foundation
    fraction framework free frequency frequently friend from front fulfil fulfill full fully fun
    function fundamental further fuse future gain gate gather gaussian general generated generic
    gentle genuine geometric geometrical geometry get getting gibbs give given global go goal
    goes going good got govern grade gradient gradually grammar graph graphic grasp great
    greater greatest group grow growth guarantee guide had half hand happen hard has have he
    head heart heat heavily heavy height help hence here hidden hierarchy high higher highest
    highlight hint history hit hold horizontal hot how however huge human hundred hypothesis i
    idea ideal identical identify identity if illustrate illustration image imagine immediately
    impact implement implementation implied imply importance important impose improve in include
    inclusive increase indeed independent index indicate indicator indices indirect individual
    inequality infinite infinity influence info inform information initial inner input insert
    inside insight inspect inspire instance instantly integral integrate intend intense
    intensity interact interaction interest intermediate internal interpret interpretation
    interval into intuit intuition intuitive invariant investigate invoke involve irrespective
    is isolate issue it item itself join joint judge jump just keep kept kernel key kick kind
    know knowledge known kolmogorov label lambda land language large larger largest last latent
    later latter law layer lead learn least leave lecture left lend length let letter letting
    level liable lie life lift light like likelihood likewise limit line linear list literally
    little live load local located location log logic logical logit long longer look lookup
    loose loss lot low machine magnify magnitude main maintain majority make manage manner many
    map mapped mark mask mass master material math mathematical mathematics matrix matter max
    maximal maximise maximize maximum may me mean meaningful meant measure mechanic mechanically
    mechanism medium meet member memory mental mention mere merge message method metric mid
    might mild million mind minimal minimize minimum minor mix mixture mode model modify moment
    monotone monotonic monotonically more moreover most motivate motivation move much multi
    multiple multiplication multiplicative multiplied multiply must mutual my n name narrow
    native natural nature near nearby nearest necessarily necessary necessity need negligible
    neighbor neighbour nested net network neural neuron nevertheless new next nice nlp noise
    noisy nonlinear nonneg nonnegativity nonzero norm normal normalisation normalise
    normalization normalize notably notation note notice notion now number numerator numeric
    numerical nutshell obey object observe obtain obvious occasion occur odd of off offer on
    once one one-hot only onto open operate operation operator opinion opportunity opt optimal
    optimize option or order ordinary organize orient origin original orthogonality other
    otherwise our out outcome outer output over overall overcome overlap overwhelming own pack
    page pair paper parallel parameter parametrize parent part partial particular partition
    party pass past pattern pay peak peaky penalty people per percent percentage perception
    perfect perform period permit person perspective phenomenon phrase pick picture pin place
    plain plane play player please plot plus pmf point pointer pool pop popular populate portion
    portray pose position positively possess possession possible post potential power powerful
    practical practice pre precise predict prediction predominantly prefer preference prefix
    premise present preserve press pretty prevail previous price primarily primary principal
    principle print prior priori pro prob probabilistic probabilistically probability probable
    problem procedure proceed process produce product program project projection prominent
    promise prompt proof proper property proportion proportional propose prove proven provide
    pull pure purpose push put putting python qualify quality quantity quarter query question
    quick quite quote radius raise random range rank rapid rate rather ratio raw reach react
    read ready real reality realize reason reasonable recall recap receive recent recipe
    recognize reconstruct record recover rectangle recursive refer reference referred refine
    reflect regard regardless regime region register regular reinforce relate relation
    relationship relative relevance relevant rely remain remark remember remind rename repeat
    replace reply report represent representation require requirement requisite rescaled
    research resemble reserve reside resolve resource respect respective respond response
    responsible rest restrict result retain retrieval retrieve return reveal reward rich right
    rise robust role root rotate rotation rough round route row rule run safe said sake same
    sample satisfaction satisfied satisfy say scalar scale scenario scene schema scheme school
    science scope score screen script search second section see seek seen segment select
    selection self semantic semantically send sense sensible sensitive sentence separate
    sequence serial serve service set setting several shall shape share sharp sharpen she shift
    shine short should show shown side sign signal significant similarity simple simpler simplex
    simplicity simplify simply simultaneously sine single site situation size skew slide slight
    slope small smart smooth snippet so social soft softmax software solely solution solve some
    somebody someone something somewhat somewhere song soon sophisticated sort sound source
    space span spatial speak special specific specifically spectrum spell spike spiky split spot
    spread square squash squeeze stable stack staff stage stand standard star stark start state
    statement static statistical statistics stay steep step stick still store story straight
    straightforward strategy stream strength stress stretch strict strike string strong stronger
    strongest structure student study stuff style subject subsequently subset substance
    substantial succeed success such suffice sufficient suggest suit suitable sum summarize
    summary summation summed summing super supply support suppose sure surface surround survive
    swap switch symbol symmetric synonym syntax system table tail tailor take taken talk target
    task technical technique technology tell temperature tend tensor term test text than thanks
    that the their them theme themselves then theorem theoretical theory there thereby therefore
    these they thing think third this those though three through throughout thus tie tight time
    tiny title to today together token too tool top topic topple total touch toward trace track
    trade traditional train trait trajectory transfer transform transformer transition translate
    translation transmit transport transpose travel treat trigger trivial true truly truth try
    tune tuple turn twice two type typical ultimately unchanged under underlying understand
    unify union unique unit unite unity universal unnormalized until up update upon upper us
    usage use useful user using usual utility utilize valid validity variable variance variant
    variation variety various vary vast vector verify version vertical very via vice video view
    viewpoint virtual visible vision visual vocabulary voice volume vote wait walk want warm was
    watch way we web week weigh weight well were what when whenever where whereas whether which
    whichever while who whole whose why wide will winner winning wins wise wish with within
    wonder word work world worth would write written x y yard year yellow yes yesterday yield
    you young your z zero zoom
    """.split()
)
"""Ordinary words in their plain forms: what says something may hold these beside a rubric's own."""

HAN_COMMON: Final = frozenset(
    "一上下与且世东两严个中为主么义之乎乘也了事二于些交亮亲人什仅今从他代以们件优会传似但位低住体"
    "何余作你使例便保信倍候值做像元先入全公共关其具典内再写决况准几出函分列则别到制前力加势匀包化"
    "匹区十单即却历原去参又及反发取变叠句另只叫可台号各合同后向吗吧含告呢周味和品哪啊回因围国图在"
    "地均块垂型域基声备复外多够大天头她好如始子字学它完定实家容对导射将小少尖就局层嵌差己已布带常"
    "幂干平年并序应底度建开式弥弱强归当录形影往征很律得心必快态思性总恒息情想意感成我或所才扩找把"
    "投择括拷持指按损据排接推提搜支收放政敛散数整文料新方日时明易映是显更最月有期本术机权条来极果"
    "某查标样根梯概模欧正此步段母每比民气水求法注流测深清温满漫点热然照片特状率现理生用由电界疏的"
    "直相看真着码研确示离种秩积稀程究空立章符第等算管篇类系素索约级线练组织经结给络统维编网置美考"
    "者而联聚能自至致般范藏行表被要见观视角解计让训议记许论证识词试话询该语说谁象贝负质资走起超越"
    "趋足距跟路身转轴较输过运近返还这进远送选通速逼道那邻部都配释里重量锐键长门间隐集零需青非靠面"
    "音项须题验高"
)
"""Ordinary Han characters."""

KNOWN: Final = (
    COMMON | NEGATIONS | FILLERS | BREAKS | FUNCTION | HEDGES
    | frozenset("'s ca wo sha does did am been ith jth nth kth th st nd rd whose whom us ones".split())
)  # fmt: skip
