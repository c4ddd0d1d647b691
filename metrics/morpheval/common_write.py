# Copied from metrics/_common/common_write.py: edit there, then run make vendor.
"""Files that are written whole or not at all."""

import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

STREAMS = (1, 2)  # the process's standard output and standard error


@contextmanager
def whole_file(path: str | os.PathLike) -> Iterator[Path]:
    """Where to write what shall be at `path`: it is put there at the end, and after an error all is as it was.

    It is written beside its place, which of a link is where the link leads, and keeps the mode of the file that was
    there. What is no file, such as a device or a pipe, is written to itself.

    Raises:
        OSError: it cannot be written; the error names `path`.
    """
    place = Path(os.path.realpath(path))
    unfinished = place.with_name(f".{secrets.token_hex(8)}.unfinished")
    is_file = not _is_special(path)
    try:
        yield unfinished if is_file else Path(path)
        if is_file:
            with suppress(FileNotFoundError):
                shutil.copymode(place, unfinished)
            os.replace(unfinished, place)
    except OSError as error:
        if error.errno and error.filename in (None, str(unfinished)):
            raise OSError(error.errno, error.strerror, os.fspath(path)) from error
        raise
    finally:
        unfinished.unlink(missing_ok=True)


def write_file(path: str | os.PathLike, text: str) -> None:
    """Write a text as UTF-8, wholly or, after an error, not at all; what is printed to `path`, too, stays there.

    Raises:
        OSError: it cannot be written; the error names `path`.
        UnicodeEncodeError: the text has half a character.
    """
    content = text.encode("utf-8")
    for stream in STREAMS:
        if _leads_to(path, stream):
            with open(stream, "wb", closefd=False) as file:
                file.write(content)
            return
    with whole_file(path) as place:
        place.write_bytes(content)


def _is_special(path):
    """Whether something other than a file is there; asked once, since another thread may put a file there meanwhile."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):  # nothing is there
        return False


def _leads_to(path, stream):
    """Whether what is written to the process's stream is in the file: it is not to be written anew."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(stream))
    except OSError:  # there is none yet, or the stream is closed
        return False
