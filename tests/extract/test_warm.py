"""What is loaded before the first page counts."""

from contentbot.extract.blocks.model import shipped
from contentbot.extract.metadata import language
from contentbot.extract.warm import warm_up


def test_warming_up_loads_the_model_and_the_detector_of_languages():
    shipped.cache_clear()
    language._identifier.cache_clear()
    warm_up()
    assert shipped.cache_info().currsize == 1
    assert language._identifier.cache_info().currsize == 1
