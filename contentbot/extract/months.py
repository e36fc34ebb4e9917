"""Month names of the languages that pages are written in: full names and the abbreviations in use.

Written from the CLDR's month tables (Gregorian, format and stand-alone, wide and abbreviated).
"""

import re

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
    "uk": "січня січень|лютого лютий|березня березень|квітня квітень|травня травень|червня червень|липня липень|"
    "серпня серпень|вересня вересень|жовтня жовтень|листопада листопад|грудня грудень",
    "bg": "януари|февруари|март|април|май|юни|юли|август|септември|октомври|ноември|декември",
    "el": "ιανουαρίου ιαν|φεβρουαρίου φεβ|μαρτίου μαρ|απριλίου απρ|μαΐου μαΐ|ιουνίου ιουν|ιουλίου ιουλ|"
    "αυγούστου αυγ|σεπτεμβρίου σεπ|οκτωβρίου οκτ|νοεμβρίου νοε|δεκεμβρίου δεκ",
    "ca": "gener|febrer|març|abril|maig|juny|juliol|agost|setembre|octubre|novembre|desembre",
    "id": "januari jan|februari feb|maret mar|april apr|mei|juni jun|juli jul|agustus agu|"
    "september sep|oktober okt|november nov|desember des",
    "et": "jaanuar|veebruar|märts|aprill|mai|juuni|juuli|august|september|oktoober|november|detsember",
    "lv": "janvāris janvārī|februāris februārī|marts martā|aprīlis aprīlī|maijs maijā|jūnijs jūnijā|jūlijs jūlijā|"
    "augusts augustā|septembris septembrī|oktobris oktobrī|novembris novembrī|decembris decembrī",
    "lt": "sausio|vasario|kovo|balandžio|gegužės|birželio|liepos|rugpjūčio|rugsėjo|spalio|lapkričio|gruodžio",
}
_ALIASES = {"no": "nb", "nn": "nb", "bs": "hr", "sr": "hr", "gl": "pt", "ms": "id"}


def _table(language: str) -> dict[str, int]:
    months = _NAMES[language].split("|")
    return {name: number for number, names in enumerate(months, 1) for name in names.split()}


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
    wanted = name.lower().rstrip(".")
    return table.get(wanted) or _ANY.get(wanted, 0)
