"""What tests of later runs look at is what those of websites look at."""

from tests.spiders.conftest import indexed, writes

__all__ = ["indexed", "writes"]
