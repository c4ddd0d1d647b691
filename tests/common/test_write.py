"""Files are written whole or not at all."""

import errno
import os
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from metrics.morpheval.common_write import whole_file, write_file
from metrics.morpheval.lexicon import Reading
from metrics.morpheval.lexicon_dictionaries import write_lexicon
from metrics.morpheval.suite_files import Suite, load_suite
from metrics.muc_b3_ceaf_entropy.show_report import report
from metrics.parapluie.calibration import calibrate

from ..conftest import ROOT


def test_what_is_written_is_there(tmp_path):
    write_file(tmp_path / "page", "é\r\n")
    assert (tmp_path / "page").read_bytes() == b"\xc3\xa9\r\n" and os.listdir(tmp_path) == ["page"]
    mask = os.umask(0o022)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "page").stat().st_mode) == 0o666 & ~mask


def test_a_full_disk_leaves_the_old_file(tmp_path, full_disk):
    (tmp_path / "page").write_text("old")
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_file(tmp_path / "page", "new and longer")
    assert caught.value.errno == errno.ENOSPC and caught.value.filename == str(tmp_path / "page")
    with pytest.raises(OSError):
        write_file(tmp_path / "other", "new")
    with pytest.raises(UnicodeEncodeError):
        write_file(tmp_path / "page", "half a character: \ud800")
    assert (tmp_path / "page").read_text() == "old" and os.listdir(tmp_path) == ["page"]


def test_an_interruption_leaves_the_old_file(tmp_path):
    (tmp_path / "page").write_text("old")
    with pytest.raises(KeyboardInterrupt), whole_file(tmp_path / "page") as place:
        place.write_text("half")
        raise KeyboardInterrupt
    assert (tmp_path / "page").read_text() == "old" and os.listdir(tmp_path) == ["page"]


def test_a_link_and_a_mode_stay(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "page").write_text("old")
    (tmp_path / "folder" / "page").chmod(0o640)
    (tmp_path / "link").symlink_to(os.path.join("folder", "page"))
    (tmp_path / "dangling").symlink_to("none")
    for name in ("link", "dangling"):
        write_file(tmp_path / name, "new")
        assert (tmp_path / name).is_symlink() and (tmp_path / name).read_text() == "new"
    assert stat.S_IMODE((tmp_path / "folder" / "page").stat().st_mode) == 0o640
    assert os.listdir(tmp_path / "folder") == ["page"] and not (tmp_path / "none").is_symlink()


def test_what_cannot_be_written_is_named(tmp_path):
    for path in (tmp_path / "none" / "page", tmp_path):
        with pytest.raises(OSError) as caught:
            write_file(path, "x")
        assert caught.value.filename == str(path)


def test_a_file_that_comes_and_goes_is_not_written_to_itself(tmp_path):
    """Another thread puts the same file there, and removes it, while this one asks what is there."""
    path, done = tmp_path / "page", threading.Event()

    def come_and_go():
        while not done.is_set():
            path.touch()
            path.unlink()

    with ThreadPoolExecutor() as pool:
        pool.submit(come_and_go)
        try:
            for _ in range(1000):
                with suppress(KeyboardInterrupt), whole_file(path) as place:
                    assert place != path
                    raise KeyboardInterrupt  # nothing is put there
        finally:
            done.set()


WRITING = "import sys; from metrics.morpheval.common_write import write_file; print('scores', flush=True); "


@pytest.mark.parametrize("path", ["/dev/stdout", "page"])
def test_what_is_printed_to_the_file_stays(tmp_path, path):
    """Of a process whose output goes into the file, and which writes it, too."""
    with open(tmp_path / "page", "w") as file:
        command = [sys.executable, "-c", f"{WRITING} write_file(sys.argv[1], 'page\\n')"]
        given = path if path.startswith("/") else str(tmp_path / path)
        subprocess.run([*command, given], cwd=ROOT, stdout=file, check=True)
    assert (tmp_path / "page").read_text() == "scores\npage\n" and os.listdir(tmp_path) == ["page"]


def test_pipes_and_devices_are_written_to():
    command = [sys.executable, "-c", f"{WRITING} write_file('/dev/stdout', 'page\\n'); write_file('/dev/null', 'x')"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "scores\npage\n" and os.path.exists("/dev/null") and not os.path.isfile("/dev/null")


# ---- Who writes ----

OLD = Suite([{"test": "past", "sources": ["He runs.", "He ran."]}])
NEW = Suite([{"test": "past", "sources": ["She runs.", "She ran."]}])


def test_a_page_is_whole(tmp_path, full_disk):
    (tmp_path / "page").write_text("old")
    with pytest.raises(ValueError, match="path: found '.*page', expected a file that can be written: .*No space left"):
        report([[["a", "b"]]], [[["a", "b"]]], str(tmp_path / "page"))
    assert (tmp_path / "page").read_text() == "old" and os.listdir(tmp_path) == ["page"]


def test_a_diagram_is_whole(tmp_path, full_disk):
    (tmp_path / "plot").write_text("old")
    with pytest.raises(OSError, match="No space left"):
        calibrate([1.0, -1.0, 2.0, 0.5], [1, 0, 1, 0], plot=str(tmp_path / "plot"))
    assert (tmp_path / "plot").read_text() == "old" and os.listdir(tmp_path) == ["plot"]


def test_a_pair_of_files_is_whole(tmp_path):
    OLD.save_pair(tmp_path / "s", tmp_path / "i")
    with pytest.raises(OSError, match="No such file"):
        NEW.save_pair(tmp_path / "s", tmp_path / "none" / "i")
    assert load_suite(tmp_path / "s", tmp_path / "i") == OLD and sorted(os.listdir(tmp_path)) == ["i", "s", "s.json"]


def test_a_saved_suite_is_whole(tmp_path, monkeypatch):
    OLD.save(tmp_path / "suite")
    (tmp_path / "suite" / "notes").write_text("of somebody")
    before, written = sorted(os.listdir(tmp_path / "suite")), load_suite(tmp_path / "suite")

    def save_to_disk(dataset, folder):
        write_file(os.path.join(folder, "data-00000-of-00001.arrow"), "half")
        raise_full_disk()

    with monkeypatch.context() as patch, pytest.raises(OSError):
        patch.setattr("datasets.Dataset.save_to_disk", save_to_disk)
        NEW.save(tmp_path / "suite")
    assert load_suite(tmp_path / "suite") == written and sorted(os.listdir(tmp_path / "suite")) == before
    NEW.save(tmp_path / "suite")
    assert [group["sources"] for group in load_suite(tmp_path / "suite")] == [["She runs.", "She ran."]]
    assert sorted(os.listdir(tmp_path / "suite")) == before


def test_a_lexicon_is_whole(tmp_path, monkeypatch):
    def rows(source):
        return iter([("ran", Reading("v", "run", "J3s"))])

    (tmp_path / "x.mlex").write_text("old")
    monkeypatch.setattr("metrics.morpheval.lexicon_dictionaries.read_dictionary", rows)
    with monkeypatch.context() as patch, pytest.raises(ValueError, match="x.mlex.*nothing can be written.*No space"):
        patch.setattr("os.replace", raise_full_disk)
        write_lexicon(["any"], tmp_path / "x.mlex")
    assert (tmp_path / "x.mlex").read_text() == "old" and os.listdir(tmp_path) == ["x.mlex"]
    assert write_lexicon(["any"], tmp_path / "x.mlex") == 1
    assert (tmp_path / "x.mlex").read_text() == "ran\tv\trun\tJ3s\n" and os.listdir(tmp_path) == ["x.mlex"]


def raise_full_disk(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
