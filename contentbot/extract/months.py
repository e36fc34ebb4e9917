"""Month names of the languages that pages are written in: full names and the abbreviations in use.

Written from the CLDR's month tables (Gregorian, format and stand-alone, wide and abbreviated). A low line in a name is
a space. Months of other calendars are in `contentbot.extract.calendars`.
"""

import re
import unicodedata

_NAMES = {
    "en": "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|"
    "september sept sep|october oct|november nov|december dec",
    "de": "januar jänner jan jän|februar feber feb|märz maerz mrz mär|april apr|mai|juni jun|juli jul|august aug|"
    "september sept sep|oktober okt|november nov|dezember dez",
    "fr": "janvier janv|février fevrier févr fév|mars|avril avr|mai|juin|juillet juil|août aout|"
    "septembre sept|octobre oct|novembre nov|décembre decembre déc",
    "es": "enero ene|febrero feb|marzo mar|abril abr|mayo may|junio jun|julio jul|agosto ago|"
    "septiembre setiembre sept sep|octubre oct|noviembre nov|diciembre dic",
    "it": "gennaio gen|febbraio feb|marzo mar|aprile apr|maggio mag|giugno giu|luglio lug|agosto ago|"
    "settembre set|ottobre ott|novembre nov|dicembre dic",
    "pt": "janeiro jan|fevereiro fev|março marco mar|abril abr|maio mai|junho jun|julho jul|agosto ago|"
    "setembro set|outubro out|novembro nov|dezembro dez",
    "nl": "januari jan|februari feb|maart mrt|april apr|mei|juni jun|juli jul|augustus aug|"
    "september sep|oktober okt|november nov|december dec",
    "pl": "stycznia styczeń sty|lutego luty lut|marca marzec mar|kwietnia kwiecień kwi|maja maj|czerwca czerwiec cze|"
    "lipca lipiec lip|sierpnia sierpień sie|września wrzesień wrz|października październik paź|"
    "listopada listopad lis|grudnia grudzień gru",
    "cs": "ledna leden led|února únor úno|března březen bře|dubna duben dub|května květen kvě|června červen čvn|"
    "července červenec čvc|srpna srpen srp|září zář|října říjen říj|listopadu listopad lis|prosince prosinec pro",
    "sk": "januára január|februára február|marca marec|apríla apríl|mája máj|júna jún|júla júl|augusta august|"
    "septembra september|októbra október|novembra november|decembra december",
    "sv": "januari jan|februari feb|mars mar|april apr|maj|juni jun|juli jul|augusti aug|"
    "september sep|oktober okt|november nov|december dec",
    "da": "januar jan|februar feb|marts mar|april apr|maj|juni jun|juli jul|august aug|"
    "september sep|oktober okt|november nov|december dec",
    "nb": "januar jan|februar feb|mars mar|april apr|mai|juni jun|juli jul|august aug|"
    "september sep|oktober okt|november nov|desember des",
    "fi": "tammikuuta tammikuu|helmikuuta helmikuu|maaliskuuta maaliskuu|huhtikuuta huhtikuu|toukokuuta toukokuu|"
    "kesäkuuta kesäkuu|heinäkuuta heinäkuu|elokuuta elokuu|syyskuuta syyskuu|lokakuuta lokakuu|"
    "marraskuuta marraskuu|joulukuuta joulukuu",
    "tr": "ocak oca|şubat şub|mart mar|nisan nis|mayıs may|haziran haz|temmuz tem|ağustos ağu|"
    "eylül eyl|ekim eki|kasım kas|aralık ara",
    "ro": "ianuarie ian|februarie feb|martie mar|aprilie apr|mai|iunie iun|iulie iul|august aug|"
    "septembrie sept|octombrie oct|noiembrie nov|decembrie dec",
    "hu": "január jan|február febr|március márc|április ápr|május máj|június jún|július júl|augusztus aug|"
    "szeptember szept|október okt|november nov|december dec",
    "hr": "siječnja siječanj|veljače veljača|ožujka ožujak|travnja travanj|svibnja svibanj|lipnja lipanj|"
    "srpnja srpanj|kolovoza kolovoz|rujna rujan|listopada listopad|studenoga studenog studeni|prosinca prosinac",
    "sl": "januarja januar|februarja februar|marca marec|aprila april|maja maj|junija junij|julija julij|"
    "avgusta avgust|septembra september|oktobra oktober|novembra november|decembra december",
    "ru": "января январь янв|февраля февраль фев|марта март мар|апреля апрель апр|мая май|июня июнь июн|"
    "июля июль июл|августа август авг|сентября сентябрь сен сент|октября октябрь окт|ноября ноябрь ноя нояб|"
    "декабря декабрь дек",
    "uk": "січня січень січ|лютого лютий лют|березня березень бер|квітня квітень квіт|травня травень трав|"
    "червня червень черв|липня липень лип|серпня серпень серп|вересня вересень вер|жовтня жовтень жовт|"
    "листопада листопад лист|грудня грудень груд",
    "bg": "януари яну|февруари фев|март мар|април апр|май|юни|юли|август авг|септември септ|октомври окт|"
    "ноември ноем|декември дек",
    "el": "ιανουαρίου ιανουάριος ιαν|φεβρουαρίου φεβρουάριος φεβ|μαρτίου μάρτιος μαρ|απριλίου απρίλιος απρ|"
    "μαΐου μάιος μαΐ|ιουνίου ιούνιος ιουν|ιουλίου ιούλιος ιουλ|αυγούστου αύγουστος αυγ|σεπτεμβρίου σεπτέμβριος σεπ|"
    "οκτωβρίου οκτώβριος οκτ|νοεμβρίου νοέμβριος νοε|δεκεμβρίου δεκέμβριος δεκ",
    "ca": "gener gen|febrer febr|març|abril abr|maig|juny|juliol jul|agost ag|setembre set|octubre oct|novembre nov|"
    "desembre des",
    "id": "januari jan|februari feb|maret mar|april apr|mei|juni jun|juli jul|agustus agu|"
    "september sep|oktober okt|november nov|desember des",
    "et": "jaanuar|veebruar|märts|aprill|mai|juuni|juuli|august|september|oktoober|november|detsember",
    "lv": "janvāris janvārī|februāris februārī|marts martā|aprīlis aprīlī|maijs maijā|jūnijs jūnijā|jūlijs jūlijā|"
    "augusts augustā|septembris septembrī|oktobris oktobrī|novembris novembrī|decembris decembrī",
    "is": "janúar jan|febrúar feb|mars mar|apríl apr|maí|júní jún|júlí júl|ágúst ágú|september sep|október okt|"
    "nóvember nóv|desember des",
    "sq": "janar|shkurt|mars|prill|maj|qershor|korrik|gusht|shtator|tetor|nëntor|dhjetor",
    "eu": "urtarrilak urtarrilaren|otsailak otsailaren|martxoak martxoaren|apirilak apirilaren|maiatzak maiatzaren|"
    "ekainak ekainaren|uztailak uztailaren|abuztuak abuztuaren|irailak irailaren|urriak urriaren|azaroak azaroaren|"
    "abenduak abenduaren",
    "gl": "xaneiro xan|febreiro feb|marzo mar|abril abr|maio|xuño xuñ|xullo xul|agosto ago|setembro set|outubro out|"
    "novembro nov|decembro dec",
    "sr": "januar јануар јан|februar фебруар феб|mart март мар|april април апр|maj мај|jun јун|jul јул|"
    "avgust август авг|septembar септембар сеп|oktobar октобар окт|novembar новембар нов|decembar децембар дец",
    "mk": "јануари|февруари|март|април|мај|јуни|јули|август|септември|октомври|ноември|декември",
    "be": "студзеня|лютага|сакавіка|красавіка|мая траўня|чэрвеня|ліпеня|жніўня|верасня|кастрычніка|лістапада|снежня",
    "kk": "қаңтар|ақпан|наурыз|сәуір|мамыр|маусым|шілде|тамыз|қыркүйек|қазан|қараша|желтоқсан",
    "az": "yanvar yan|fevral fev|mart mar|aprel apr|may|iyun|iyul|avqust avq|sentyabr sen|oktyabr okt|noyabr noy|"
    "dekabr dek",
    "ka": "იანვარი იან|თებერვალი თებ|მარტი მარ|აპრილი აპრ|მაისი მაი|ივნისი ივნ|ივლისი ივლ|აგვისტო აგვ|სექტემბერი სექ|"
    "ოქტომბერი ოქტ|ნოემბერი ნოე|დეკემბერი დეკ",
    "hy": "հունվարի հունվար|փետրվարի փետրվար|մարտի մարտ|ապրիլի ապրիլ|մայիսի մայիս|հունիսի հունիս|հուլիսի հուլիս|"
    "օգոստոսի օգոստոս|սեպտեմբերի սեպտեմբեր|հոկտեմբերի հոկտեմբեր|նոյեմբերի նոյեմբեր|դեկտեմբերի դեկտեմբեր",
    # the names of Egypt, of the Levant and of the Maghreb
    "ar": "يناير كانون_الثاني جانفي|فبراير شباط فيفري|مارس آذار|أبريل ابريل نيسان أفريل|مايو أيار ماي|"
    "يونيو حزيران جوان|يوليو تموز جويلية|أغسطس اغسطس آب أوت|سبتمبر أيلول|أكتوبر اكتوبر تشرين_الأول|"
    "نوفمبر تشرين_الثاني|ديسمبر كانون_الأول",
    "fa": "ژانویه|فوریه|مارس|آوریل|مه می|ژوئن|ژوئیه جولای|اوت آگوست|سپتامبر|اکتبر|نوامبر|دسامبر",
    "ur": "جنوری|فروری|مارچ|اپریل|مئی|جون|جولائی|اگست|ستمبر|اکتوبر|نومبر|دسمبر",
    "he": "בינואר ינואר ינו|בפברואר פברואר פבר|במרץ מרץ במרס מרס|באפריל אפריל אפר|במאי מאי|ביוני יוני|ביולי יולי|"
    "באוגוסט אוגוסט אוג|בספטמבר ספטמבר ספט|באוקטובר אוקטובר אוק|בנובמבר נובמבר נוב|בדצמבר דצמבר דצמ",
    "hi": "जनवरी जन|फ़रवरी फरवरी फर|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर सितम्बर|अक्टूबर अक्तूबर|नवंबर नवम्बर|दिसंबर दिसम्बर",
    "mr": "जानेवारी|फेब्रुवारी|मार्च|एप्रिल|मे|जून|जुलै|ऑगस्ट|सप्टेंबर|ऑक्टोबर|नोव्हेंबर|डिसेंबर",
    "bn": "জানুয়ারি জানুয়ারী|ফেব্রুয়ারি ফেব্রুয়ারী|মার্চ|এপ্রিল|মে|জুন|জুলাই|আগস্ট|সেপ্টেম্বর|অক্টোবর|নভেম্বর|ডিসেম্বর",
    "ta": "ஜனவரி|பிப்ரவரி|மார்ச்|ஏப்ரல்|மே|ஜூன்|ஜூலை|ஆகஸ்ட்|செப்டம்பர்|அக்டோபர்|நவம்பர்|டிசம்பர்",
    "ms": "januari jan|februari feb|mac|april apr|mei|jun|julai jul|ogos|september sep|oktober okt|november nov|"
    "disember dis",
    "tl": "enero|pebrero|marso|abril|mayo|hunyo|hulyo|agosto|setyembre|oktubre|nobyembre|disyembre",
    "sw": "januari|februari|machi|aprili|mei|juni|julai|agosti|septemba|oktoba|novemba|desemba",
    "lt": "sausio|vasario|kovo|balandžio|gegužės|birželio|liepos|rugpjūčio|rugsėjo|spalio|lapkričio|gruodžio",
}
_ALIASES = {"no": "nb", "nn": "nb", "bs": "sr", "fil": "tl", "iw": "he", "in": "id", "ne": "hi"}


def plain_letters(text: str) -> str:
    """Return the text in lower case without marks on its letters, as capitals and careless writers leave them out."""
    if text.isascii():
        return text.lower()
    lower = text.replace("İ", "i").lower().replace("ı", "i")
    if not _EUROPEAN.match(lower):
        return lower
    return "".join(one for one in unicodedata.normalize("NFD", lower) if not unicodedata.combining(one))


# where a mark is no letter of its own: Latin, Greek and Cyrillic
_EUROPEAN = re.compile("[a-z\u00c0-\u052f\u1e00-\u1fff]")


def _table(language: str) -> dict[str, int]:
    months = _NAMES[language].split("|")
    return {
        spelled: number
        for number, names in enumerate(months, 1)
        for name in names.split()
        for spelled in (name.replace("_", " "), plain_letters(name).replace("_", " "))
    }


_BY_LANGUAGE = {language: _table(language) for language in _NAMES}


def _agreed() -> dict[str, int]:
    """Return the names that mean one month in every language that has them; English first, it is everywhere."""
    meanings: dict[str, set[int]] = {}
    for table in _BY_LANGUAGE.values():
        for name, number in table.items():
            meanings.setdefault(name, set()).add(number)
    return {name: numbers.pop() for name, numbers in meanings.items() if len(numbers) == 1} | _BY_LANGUAGE["en"]


_ANY = _agreed()
_EVERY_NAME = sorted({name for table in _BY_LANGUAGE.values() for name in table}, key=len, reverse=True)

MONTH_PATTERN = "(?:" + "|".join(map(re.escape, _EVERY_NAME)) + r")(?!\w)"
"""A regular expression, for use without regard to case, that matches a month's name in any language."""


def month_number(name: str, language: str = "") -> int:
    """Return 1 to 12, or 0 when the name is no month or means different ones and the language does not decide."""
    primary = language.partition("-")[0].lower()
    table = _BY_LANGUAGE.get(_ALIASES.get(primary, primary), {})
    wanted = " ".join(name.lower().rstrip(".").split())
    if number := table.get(wanted) or _ANY.get(wanted, 0):
        return number
    plain = plain_letters(wanted)
    return table.get(plain) or _ANY.get(plain, 0)
