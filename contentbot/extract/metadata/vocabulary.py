"""The words by which pages mark dates, authors and foreign ground; one alternative a line or a word.

Regular expressions here are fragments in lower case, joined by `either` and compiled by the readers.
"""

import re


def either(fragments: str) -> str:
    """Return a group that matches one of the fragments, which stand on lines of their own."""
    return "(?:" + "|".join(line.strip() for line in fragments.strip().splitlines()) + ")"


def names(text: str) -> tuple[str, ...]:
    """Return the names in a text, in their order."""
    return tuple(text.split())


# --- meta tags ---------------------------------------------------------------------------------------------------

AUTHOR_METAS = names("""
    citation_author author article:author article:author_name og:article:author og:author parsely-author sailthru.author
    dc.creator dc.creator.author dcterms.creator byl dcsext.author rbauthors article.author authors
""")
PUBLISHED_METAS = names("""
    article:published_time article:published article:published_date og:article:published_time og:published_time
    og:publish_date og:pubdate og:article:published itemprop:datepublished datepublished date_published publishdate
    publish_date publish-date published_date published-date publication_date publisheddate published_time published_at
    publishedat parsely-pub-date sailthru.date pubdate citation_publication_date citation_online_date citation_date
    dcterms.issued dc.date.issued dc.issued dcterms.created dc.created dc.date.created
    dcsext.articlefirstpublished rnews:datepublished article.published article.created article_date_original bt:pubdate
    originalpublicationdate cxenseparse:recs:publishtime shareaholic:article_published_time vr:published_time
    video:release_date itemprop:datecreated itemprop:uploaddate uploaddate datecreated date_created displaydate
    doc_date pdate ptime release_date
""")
# names that say no more than that it is a date: what the page shows is better evidence
VAGUE_DATE_METAS = names("dcterms.date dc.date dc:date created date")
MODIFIED_METAS = names("""
    article:modified_time article:modified og:modified_time og:article:modified_time og:updated_time
    itemprop:datemodified datemodified dcterms.modified dc.modified dc.date.modified bt:moddate modified_time
    itemprop:dateupdate itemprop:dateupdated lastmodified last-modified lastmod revision_date updated_time modified
""")

# --- dates -------------------------------------------------------------------------------------------------------

# words of class and id
DATE_NAME = either(r"""
    published(?:-?(?:date|at|on|time))?
    publish-?date
    pub-?date
    (?:post|entry|article|news|blog|story|content)-?(?:date|time|meta|info|details|header|byline)
    posted(?:-?on)?
    date-?published
    byline
    meta
    dateline
    timestamp
    date
    datum
    time
    dt-published
    created
    submitted
    publishing
    info
""")
UPDATED_NAME = either(r"""
    updated?
    modified
    aktualisiert
""")
OTHER_DATE_NAME = either(r"""
    events?
    comments?
    calendar
    copyright
    expir\w*
    countdown
    related
    birth\w*
    upcoming
    deadline
""")

# --- authors -----------------------------------------------------------------------------------------------------

PLACEHOLDER_NAMES = frozenset(
    names("""
    undefined null none nan na tba tbd admin administrator administrateur root user username guest gast unknown
    unbekannt author authors autor autorin auteur writer editor webmaster wordpress default test by von name
    objectobject sat sun mon tue tues wed thu thurs fri jan feb mar apr may jun jul aug sep sept oct nov dec
    contributor superuser sysadmin wpadmin siteadmin adminuser me facebook twitter linkedin instagram
    home blog share print email follow contact
    """)
)
BYLINE_VERB = either(r"""
    (?:written|posted|published|submitted|created|authored|contributed|edited|words|story|text)
    (?:guest )?(?:article|post|blog|report)
    geschrieben
    veröffentlicht
    erstellt
    verfasst
    (?:ein )?(?:gast)?(?:artikel|beitrag|kommentar)
""")
AUTHOR_LABEL = either(r"""
    (?:the )?author(?:s|\(s\))?
    contributors?
    writers?
    autor(?:in|en|innen|a|as|es|i|ka|ki|ky|zy)?
    autore
    auteure?s?
    redactor(?:a|es)?
    verfasser(?:in)?
    forfatter(?:e)?
    författare
    skribent
    kirjoittaja
    szerzők?
    írta
    yazar(?:lar)?
    yazan
    te(?:x|ks?)te?[oi]?
    testo(?: di)?
    redaktion
    penulis
    tác giả
    автор(?:ы|и|ка)?
    текст
    συντάκτης
    συγγραφέας
    ال?كاتبة?
    كتبت?
    بقلم
    תחקיר
    נכתב על ידי
    نویسنده
    خبرنگار
    लेखक
""")
# what means `by` where letters have no case, or words no space between them; a sign or a space follows
UNCASED_BY = either(r"""
    بقلم
    מאת
    نویسنده
    โดย
    ผู้เขียน
    作者
    撰文
    执笔
    執筆者?
    著者
    筆者
    文(?=[:：/／])
    [记記]者
    글(?:쓴이)?(?=\s*[:：])
""")
# prepositions of other languages, which count before a capital only
FOREIGN_BY = either("""
    par
    por
    di
    door
    av
    af
    przez
    de
    oleh
    bởi
    от
    від
    skrevet av
    skrevet af
    skriven av
    escrito por
    scritto da
    écrit par
    rédigé par
    geschreven door
    napisane przez
    napsala?
""")
AFTER_BYLINE = either(r"""
    (?:last )?updated
    published
    posted
    modified
    (?:medically )?reviewed
    fact[- ]checked
    aktualisiert
    veröffentlicht
    stand
    \(?\d+\s*min(?:ute[ns]?)?
    follow
    view profile
    see full bio
    read more
    share
    leave a comment
    \d+ (?:comments?|kommentare?)
""")
DEGREES = frozenset(
    names("""
    phd dphil md do jd llm llb dds dvm vmd mba mph msc bsc ms bs ma ba med edd psyd pharmd rn rd rdn ldn cpa cfa cfp
    esq jr sr ii iii iv frcp dr prof mscn pe pmp dipl dipling
    """)
)
ROLE = either(r"""
    editors?
    director
    manager
    architect
    expert
    specialist
    analyst
    engineer
    developer
    (?:co-?)?founder
    c[etfoi]o
    president
    chair(?:man|woman|person)?
    professor
    reporter
    correspondent
    columnist
    writer
    author
    journalist
    dietitian
    nutritionist
    therapist
    coach
    consultant
    advis[eo]r
    officer
    head
    lead
    partner
    associate
    assistant
    intern
    fellow
    student
    staff
    candidate
    representative
    horticulturalist
    maintainers?
    contributor
    redakteur(?:in)?
    geschäftsführer(?:in)?
    leiter(?:in)?
    chefredakteur(?:in)?
    gründer(?:in)?
    universit(?:y|ät)
    institute?
    foundation
""")
NAME_PARTICLES = frozenset(names("van von de der den del della di da dos du la le el bin al ter zu y e af av ten"))
AUTHOR_NAME = either(r"""
    (?:author|byline|by-line|bylines|writer|autor|contributor|creator)(?:s|-?(?:name|link|names))?
    vcard
    fn
""")
PERSON_PATH = re.compile(
    r"/(?:authors?|autor(?:en|inn?en)?|people|person(?:en)?|team|contributors?|staff|writers?|profiles?|bios?|experts?|"
    r"journalists?|redaktion|editors?|users?|members?)/[^/?#]+|/@[\w.-]+$|/about-(?!us\b)[\w-]+$",
    re.IGNORECASE,
)
OTHER_AUTHOR_NAME = either(r"""
    bio
    avatar
    image
    img
    photo
    box
    social
    desc
    comment
    count
    share
    related
    title
    role
    job
    date
    time
    follow
    icon
    more-from
""")

# --- foreign ground ----------------------------------------------------------------------------------------------

# words of class and id: what they name is about something else in every case
FOREIGN_NAME = either(r"""
    related
    recommend\w*
    recirc\w*
    read-?(?:more|next)
    also-?(?:read|like)
    more-(?:from|posts|news|stories|articles|like)
    you-?may
    similar
    recent-?(?:posts?|articles?|news|entries|comments)
    latest-?(?:posts?|articles?|news)
    popular
    trending
    most-?read
    comments?(?:-?(?:list|area|section|body|content|wrapper|form|container|thread|respond|entries))?
    commentlist
    disqus
    respond
    replies
    nav(?:igation|bar)?
    menu
    breadcrumbs?
    newsletter
    subscribe
    advert\w*
    sponsored-?content
    outbrain
    taboola
    pagination
    prev-?next
    post-?navigation
    copyright
    cookie\w*
    archives?-list
    upcoming
    calendar
    events-list
    verwandt\w*
    aehnlich\w*
    weitere-\w*
    kommentare?
    leserbrief\w*
    meistgelesen
""")
# what these name is mostly foreign, but a small one beside the title may hold the byline
DOUBTFUL_NAME = either(r"""
    sidebar\w*
    side-?(?:bar|col)
    widget(?:-?area)?
    (?:site-?)?footer
    promo\w*
    teasers?
""")
# names on a page's own containers although one of the words above stands in them
OWN_NAME = either(r"""
    (?:post|entry|article|byline|blog)-?(?:meta|info|header|date|author|byline|footer|content|body)
    (?:has|with|no|without|show|hide|toggle|layout|content|page|site|main|left|right)-
    comments?-?(?:count|link|number|open|closed|off|on|icon|bubble)
    elementor-widget
    wp-block
    et_pb
    sidebar-(?:left|right|none|off|on)
    publish
    timestamp
""")
FOREIGN_HEADING = either(r"""
    (?:you (?:may|might) (?:also )?|people also |also )?(?:like|read)\b
    related\b
    recent(?:ly)?\b.{0,30}(?:posts?|articles?|stories|news|blogs?|entries)
    (?:more|other|further|latest|popular|trending|featured|similar|recommended|new|newest|top)\b.{0,30}\b(?:posts?|articles?)\b
    (?:more|other|further|latest|popular|trending|featured|similar|recommended)\b.{0,30}\b(?:stories|news|blogs?|reads?)\b
    (?:more|other|further|latest|popular|trending|featured|similar)\b.{0,30}\b(?:reading|content|insights|resources|topics)\b
    more (?:from|in|on|by|like)\b
    recommended\b
    read (?:next|more|also)\b
    (?:keep|continue) reading
    what to read next
    up next
    see also
    (?:\d+ )?(?:comments?|responses?|replies|thoughts? on)\b
    leave a (?:comment|reply)
    join the (?:conversation|discussion)
    about the author
    share this
    ähnliche
    verwandte
    weitere
    mehr (?:zum|aus|von|zu|artikel|news|beiträge)
    das könnte
    auch interessant
    lesen sie auch
    neueste
    aktuelle (?:beiträge|artikel|news)
    (?:\d+ )?kommentare?\b
    schreibe einen kommentar
    empfehlungen
    meistgelesen
    articles? (?:similaires|liés|récents)
    à lire aussi
    sur le même
    (?:entradas|artículos|noticias) (?:relacionad|reciente)
    también
    te puede
    articoli
    leggi anche
    gerelateerd
    lees ook
    meest gelezen
    powiązane
    zobacz także
    czytaj także
    relacionad[oa]s
    leia (?:também|mais)
    похожие
    читайте также
""")
# any of these in a class or id makes an element worth a look
MARKED_NAME = either("""
    author
    byline
    by-line
    date
    time
    publish
    posted
    meta
    writer
    autor
    vcard
    datum
    creat
    contributor
    info
    submitted
""")

# --- what JSON-LD calls things -----------------------------------------------------------------------------------

PAGE_TYPES = frozenset(names("webpage itempage aboutpage contactpage profilepage faqpage qapage checkoutpage"))
THING_TYPES = frozenset(
    names("""
    product productgroup recipe videoobject howto course event book softwareapplication mobileapplication dataset
    jobposting question movie podcastepisode episode audioobject creativework learningresource report review
    claimreview imageobject guide thesis chapter localbusiness place service
    """)
)
SITE_TYPES = frozenset(names("organization newsmediaorganization corporation educationalorganization ngo"))
