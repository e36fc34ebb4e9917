"""Words, marks and escapes inside a paragraph."""

import pytest

from tests.extract.markdown.pages import markdown


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<b> b </b>c<i> </i>d</p>", "a **b** c d"),
        ("<p><b>a</b><b>b</b> <em><em>c</em></em></p>", "**ab** *c*"),
        ("<p><i>a</i><b>b</b></p>", "*a***b**"),
        ("<p>un<em>frigging</em>believable</p>", "un*frigging*believable"),
        ("<p><b><i>a</i>b<i>c</i></b></p>", "***a*b<em>c</em>**"),
        ("<p>重<b>「要」</b>点と<b>語</b>を</p>", "重<strong>「要」</strong>点と**語**を"),
        ("<p><b>Note:</b>text</p>", "<strong>Note:</strong>text"),
        ("<p><b>a<br></b>b</p>", "**a**  \nb"),
        ("<div><b>a<div>b</div></b></div>", "**a**\n\n**b**"),
        ("<p>x<sup>2</sup>, H<sub>2</sub>O, <ins>new</ins>, <mark>m</mark>, <s>old</s></p>",
         "x<sup>2</sup>, H<sub>2</sub>O, <ins>new</ins>, <mark>m</mark>, ~~old~~"),
        ("<p><q>said</q> <abbr title='x'>HTML</abbr> <var>n</var></p>", '"said" HTML *n*'),
        ("<p><ruby>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby> <ruby>漢<rt>かん</rt></ruby></p>", "字(じ) 漢(かん)"),
        ("<p dir=rtl>שלום <b>עולם</b></p>", "שלום **עולם**"),
    ],
)  # fmt: skip
def test_marks_render_as_they_were_meant(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>7&nbsp;m, 8&#8239;m</p>", "7 m, 8 m"),
        ("<p>co&shy;op&#8203;era&#65279;te Donau<wbr>dampf</p>", "cooperate Donaudampf"),
        ("<p> a\n\t b <!-- c --> d </p>", "a b d"),
        ("<p>a <!-- c -->b<!-- d -->c</p>", "a bc"),
        ("<div>a<p>b</p>c<section>d</section>e</div>", "a\n\nb\n\nc\n\nd\n\ne"),
        ("<x-tab>One</x-tab><x-tab>Two</x-tab>", "One\n\nTwo"),
        ("<p>a<x-i>b</x-i>c</p>", "abc"),
        ("<p>a<script>x</script><style>y</style><template>z</template><noscript>n</noscript>b</p>", "ab"),
        ("<p>\U000e0041hidden tag characters</p>", "hidden tag characters"),
    ],
)
def test_white_space_is_what_a_browser_shows(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    "text",
    [
        "3 * 4 * 5",
        "snake_case_name, _private and __x",
        "a < b, c > d and <3",
        "AT&T, R & D",
        "C# and #tag",
        "[x] box",
        "~5 km",
        "3.5 - 4 + 1",
        "$5 or $6",
        "C:\\dir",
        "see https://a.example/x_y_z?q=a_b",
        "5*",
        "a | b",
    ],
)
def test_text_that_is_no_markup_stays_as_it_is(text: str) -> None:
    assert markdown(f"<p>{text.replace('&', '&amp;').replace('<', '&lt;')}</p>") == text


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p># a</p>", "\\# a"),
        ("<p>12. a</p>", "12\\. a"),
        ("<p>+ a</p>", "\\+ a"),
        ("<p>&gt; a</p>", "\\> a"),
        ("<p>- a</p>", "\\- a"),
        ("<p>***</p>", "\\***"),
        ("<p>a<br>---</p>", "a  \n\\---"),
        ("<p>*a* _b_ ~~c~~</p>", "\\*a\\* \\_b\\_ \\~\\~c\\~\\~"),
        ("<p>&lt;b&gt; &amp;lt;</p>", "\\<b> \\&lt;"),
        ("<p>[a](b) [^1]</p>", "[a\\](b) \\[^1]"),
        ("<p>[a]: b</p>", "\\[a]: b"),
        ("<p>`x` \\*</p>", "\\`x\\` \\\\*"),
        ("<ul><li>[x] a</li></ul>", "- \\[x] a"),
        ("<h2>A #</h2>", "## A \\#"),
        ('<p>Look!<a href="https://a.example/">x</a></p>', "Look\\![x](https://a.example/)"),
        ("<p>https://a.example/__init__ here</p>", "<https://a.example/__init__> here"),
    ],
)
def test_signs_that_would_be_markup_are_escaped(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>水車は川の\n  そばに立つ。\r\n水が回す。</p>", "水車は川のそばに立つ。水が回す。"),
        ("<p>水车\n<b>很</b>\n老</p>", "水车 **很** 老"),
        ("<p>물레방아가\n돈다</p>", "물레방아가 돈다"),
        ("<p>水車 は mill\nの 家</p>", "水車 は mill の 家"),
    ],
)
def test_wrapped_lines_of_chinese_and_japanese_are_joined_without_a_space(html, expected):
    assert markdown(html) == expected
