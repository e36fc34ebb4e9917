import resource
from pathlib import Path

import pytest

from contentbot.errors import EngineUnavailable
from contentbot.index import open_index
from tests.contract.documents import document


def test_a_full_disk_blames_no_document_and_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    with open_index(f"tantivy:{tmp_path / 'index'}") as index:
        index.upsert([document("a", body="wheel")])
        before, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, hard))
        try:
            with pytest.raises(EngineUnavailable, match="os error"):
                index.upsert([document(f"b{number}", body=f"wheel word{number} " * 200) for number in range(50)])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (before, hard))
        assert len(index.keys("mill")) == 1
        index.upsert([document("c", body="wheel")])
        assert len(index.keys("mill")) == 2
