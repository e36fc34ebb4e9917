import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.documents import document_key
from contentbot.errors import AlreadyRunning
from contentbot.state.cache import CachedResponse, ResponseCache
from contentbot.state.locks import Lock, lock_all
from contentbot.state.outbox import Letter, Outbox, look_up
from contentbot.state.packed import pack, unpack

HOLD = """
import sys, pathlib
from contentbot.state.locks import Lock
with Lock(pathlib.Path(sys.argv[1]), sys.argv[2]):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(folder: Path, name: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_second_crawler_of_a_host_is_told_who_holds_it(tmp_path: Path):
    with holder(tmp_path, "mill.example") as other:
        with (
            pytest.raises(AlreadyRunning, match=rf"mill\.example .* process {other.pid} "),
            Lock(tmp_path, "mill.example"),
        ):
            pass
        with Lock(tmp_path, "barn.example"):
            pass
        other.communicate()
    with Lock(tmp_path, "mill.example"):
        pass


def test_lock_of_a_killed_holder_is_free(tmp_path: Path):
    with holder(tmp_path, "mill.example") as other:
        os.kill(other.pid, signal.SIGKILL)
        other.wait()
        with Lock(tmp_path, "mill.example"):
            pass


def test_all_locks_or_none_are_taken(tmp_path: Path):
    with lock_all(tmp_path, ["b", "a", "b"]):
        with pytest.raises(AlreadyRunning, match=r"^b "):
            lock_all(tmp_path, ["0", "b"])
        with Lock(tmp_path, "0"):
            pass


@given(st.binary(max_size=2000))
def test_packing_loses_nothing(data: bytes):
    assert unpack(pack(data)) == data


def test_response_comes_back_byte_for_byte(tmp_path: Path):
    response = CachedResponse(
        "https://mill.example/a", 200, (("Set-Cookie", "a=1"), ("Set-Cookie", "b=ü")), b"\x00\xff" * 50_000, 12.5
    )
    first = ResponseCache(tmp_path / "cache.db")
    first.put(b"one", response)
    first.close()
    second = ResponseCache(tmp_path / "cache.db")
    assert second.get(b"one") == response
    assert second.get(b"two") is None
    assert second.trim(before=12.5) == 0
    assert second.trim(before=13) == 1
    second.close()
    assert (tmp_path / "cache.db").stat().st_size < 100_000


def test_broken_cache_file_is_put_aside(tmp_path: Path):
    (tmp_path / "cache.db").write_bytes(b"no database at all" * 500)
    cache = ResponseCache(tmp_path / "cache.db")
    assert cache.get(b"one") is None
    cache.close()
    assert (tmp_path / "cache.broken").exists()


def letter(key: str, text: str | None = "Text") -> Letter:
    return Letter("mill", key, None if text is None else {"body": text}, {"url": f"https://mill.example/{key}"})


def test_undelivered_changes_survive_a_restart_in_order(tmp_path: Path):
    outbox = Outbox(tmp_path / "outbox.db")
    outbox.keep([letter("a"), letter("b")])
    outbox.keep([letter("c", None)])
    outbox.close()
    outbox = Outbox(tmp_path / "outbox.db")
    batches = [[one.document_key for one in batch] for batch in outbox.waiting(size=2)]
    assert batches == [["a", "b"], ["c"]]
    outbox.close()


def test_later_change_of_a_document_replaces_the_earlier(tmp_path: Path):
    outbox = Outbox(tmp_path / "outbox.db")
    outbox.keep([letter("a", "Old"), letter("b")])
    outbox.keep([letter("a", None)])
    (batch,) = outbox.waiting()
    assert [(one.document_key, one.document) for one in batch] == [("b", {"body": "Text"}), ("a", None)]
    outbox.close()


def test_refused_change_is_set_aside_and_the_rest_delivered(tmp_path: Path):
    outbox = Outbox(tmp_path / "outbox.db")
    outbox.keep([letter("a"), letter("b")])
    (batch,) = outbox.waiting()
    outbox.refuse(batch[0], "invalid_document_id")
    outbox.delivered(batch[1:])
    assert len(outbox) == 0
    assert [(one.document_key, one.refused) for one in outbox.set_aside()] == [("a", "invalid_document_id")]
    outbox.keep([letter("a", "Mended")])
    assert len(outbox) == 1
    outbox.close()


def test_letter_is_found_by_every_address_of_its_page_and_the_file_is_not_made(tmp_path: Path):
    file = tmp_path / "outbox.db"
    assert look_up(file, "mill", "https://mill.example/a") is None
    assert not file.exists()
    key = document_key("mill", "https://mill.example/a")
    pages = [{"url": "https://mill.example/c", "final_url": "https://mill.example/b"}]
    outbox = Outbox(file)
    outbox.keep([Letter("mill", key, {"title": "A"}, {"pages": pages})])
    for path in "abc":
        letter = look_up(file, "mill", f"https://mill.example/{path}")
        assert letter is not None
        assert letter.created_at.endswith("+00:00")
    assert look_up(file, "mill", "https://mill.example/d") is None
    assert look_up(file, "barn", "https://mill.example/a") is None
    assert outbox.sources() == ["mill"]
    assert (outbox.forget("barn"), outbox.forget("mill"), len(outbox)) == (0, 1, 0)
    outbox.close()
