"""The words by which pages of many languages label their dates; one alternative a line.

Fragments of regular expressions in lower case, for words that have a boundary around them. Scripts that put no space
between words have lists of their own.
"""

from contentbot.extract.metadata.vocabulary import either

PUBLISHED_LABEL = either(r"""
    (?:first |originally )?published
    posted
    (?:publication|publish|published|pub|release|posting) date
    date (?:posted|published|of publication)
    date(?=\s*:)
    datum(?=\s*:)
    uploaded
    veröffentlicht
    veröffentlichung(?:sdatum)?
    publiziert
    eingestellt
    gepostet
    publiée?
    (?:mis en ligne|paru|posté|rédigée?)
    (?:date de )?publication
    publicad[oa]
    (?:fecha de )?publicación
    (?:data d[ei] )?(?:publicação|pubblicazione)
    postad[oa]
    pubblicat[oa]
    gepubliceerd
    geplaatst
    opublikowan[oay]
    data publikacji
    dodano
    publicera(?:d|t|des)
    publisert
    publiceret
    udgivet
    julkaistu
    birt
    publikován[oay]?
    zveřejněno
    vydáno
    publikované
    uverejnené
    zverejnené
    objavljen[oa]
    közzétéve
    megjelent
    publicat
    postat
    avaldatud
    publicēts
    paskelbta
    yayın(?:lanma)?(?: tarihi)?
    yayınlandı
    опубликован[оаы]?
    дата публикации
    размещено
    опубліковано
    публикуван[оа]?
    публикувано на
    објављено
    δημοσ(?:ιεύθηκε|ίευση|ιεύτηκε)
    ημερομηνία δημοσίευσης
    (?:تاريخ )?النشر
    نُ?شر(?:ت)?(?: في)?
    تم النشر
    פורסם(?: ב)?
    פורסמה
    תאריך פרסום
    (?:تاریخ )?انتشار
    منتشر شده
    प्रकाशित
    diterbitkan
    dipublikasikan
    terbit
    ngày đăng
    đăng (?:lúc|ngày)
    xuất bản
""")
# what may also be said of a book or a paper that the page is about
WRITTEN_LABEL = either(r"""
    released
    created
    written
    submitted
    erschienen
    erscheinungsdatum
    erstellt
    verfasst
    geschrieben
""")
# what says of a date that no earlier one counts
FIRST_PUBLISHED = either(r"""
    (?:originally|first|initially) (?:published|posted|appeared|created)(?: on| in)?
    ursprünglich (?:veröffentlicht|erschienen|erstellt)(?: am)?
    (?:erstmals|zuerst) (?:veröffentlicht|erschienen)(?: am)?
    (?:erst|original)veröffentlichung
    publiée? (?:initialement|pour la première fois)(?: le)?
    (?:initialement|d'abord) publiée? le
    publicado (?:originalmente|por primera vez)(?: el)?
    originalmente publicado em
    pubblicato (?:originariamente|per la prima volta)(?: il)?
    oorspronkelijk (?:gepubliceerd|geplaatst)(?: op)?
    ursprungligen publicerad
    pierwotnie opublikowano
    впервые опубликован[оа]
""")
MODIFIED_LABEL = either(r"""
    updated?
    (?:last|latest) (?:updated?|modified|edited|reviewed|changed?|revised|revision)
    modified
    revised
    reviewed
    fact[- ]checked
    aktualisiert
    aktualisierung
    letzte (?:änderung|aktualisierung|bearbeitung)
    zuletzt
    geändert
    bearbeitet
    überarbeitet
    stand
    (?:mise?|màj) à jour
    (?:dernière )?(?:modification|mise à jour)
    modifiée?
    actualizad[oa]
    (?:última )?(?:actualización|modificación)
    aggiornat[oa]
    (?:ultimo )?aggiornamento
    ultima modifica
    bijgewerkt
    (?:laatst )?gewijzigd
    (?:ostatnia )?(?:aktualizacja|modyfikacja)
    zaktualizowan[oa]
    atualizad[oa]
    (?:última )?(?:atualização|modificação)
    uppdatera(?:d|t|des)
    (?:senast )?ändrad
    oppdatert
    sist (?:endret|oppdatert)
    opdateret
    (?:sidst )?ændret
    päivitetty
    muokattu
    uppfært
    aktualizován[oay]?
    (?:poslední )?(?:aktualizace|změna)
    aktualizované
    posodobljen[oa]
    ažurirano
    frissít(?:ve|és)
    módosítva
    actualizat
    uuendatud
    atjaunināts
    atnaujinta
    (?:son )?güncelle(?:me|ndi)(?: tarihi)?
    обновлен[оа]?
    изменено
    (?:последнее )?(?:обновление|изменение)
    оновлено
    обновен[оа]?
    ажурирано
    (?:τελευταία )?(?:ενημέρωση|τροποποίηση)
    ενημερώθηκε
    (?:آخر )?تحديث
    (?:تاريخ )?التحديث
    עודכן
    עדכון אחרון
    (?:آخرین )?به ?روز ?رسانی
    अपडेट(?:ेड)?
    diperbarui
    cập nhật(?: lần cuối)?
""")
# what a date behind it is about, when that is not the page
OTHER_LABEL = either(r"""
    copyright
    expires?
    valid until
    deadline
    due
    born
    event
    starts?
    ends?
    until
    since
    from
    joined
    member
    accessed
    retrieved
    as of
    version
    save the date
    when
    gültig bis
    anmeldeschluss
    geboren
    termin
    beginn
    ende
    bis zum
    seit
    abgerufen
    zugriff
    wann
""")

UNSPACED_PUBLISHED = either(r"""
    发[布表]
    發[布佈表]
    刊[登载載]
    公開
    投稿
    掲載
    配信
    发稿
    (?:기사)?입력
    등록
    게시
    작성
    발행
    เผยแพร่
    โพสต์
    ลงวันที่
""")
UNSPACED_MODIFIED = either(r"""
    更新
    修改
    (?:최종)?수정
    업데이트
    แก้ไข
    ปรับปรุง
    อัปเดต
    อัพเดต
""")
