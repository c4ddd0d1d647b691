"""What a chat model said, kept on disk as it is said, so that an interrupted run goes on where it stopped.

This file is vendored: `metrics/_common/score_store.py` is the source, `make vendor` copies it into the metric folders.
"""

import hashlib
import json
import os
import sqlite3


class ScoreStore:
    """A SQLite file with one row per result.

    A row's key is a digest of everything its value depends on. Every call of `put` is one transaction: after a crash or
    kill -9 a row is there whole or not at all. Several processes may use one file.
    """

    def __init__(self, path: str, model):
        """Open or create the file.

        Args:
            path: the file.
            model: what tells the model from any other, JSON-serialisable; part of every key.

        Raises:
            ValueError: the file is no such store, or cannot be opened.
        """
        self.model = model
        self.path = path
        try:
            self.connection = sqlite3.connect(os.path.abspath(path), timeout=60)  # ":memory:" is a file, too
            self.connection.execute("PRAGMA synchronous = FULL")
            self.connection.execute("CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
            self.connection.execute("SELECT key, value FROM results LIMIT 1")
        except (sqlite3.Error, ValueError) as error:
            raise ValueError(
                f"resume: found {str(path)!r}, which is no score file ({error}), expected one or a new path"
            ) from None

    def key(self, *circumstances) -> str:
        """The digest for circumstances (JSON-serialisable) under this model."""
        return hashlib.sha256(json.dumps([self.model, *circumstances]).encode("utf-8", "surrogatepass")).hexdigest()

    def get(self, key: str):
        """The value kept under a key, or None."""
        try:
            row = self.connection.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
            return None if row is None else json.loads(row[0])
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise ValueError(
                f"resume: found {str(self.path)!r} damaged ({error}), expected it as it was left"
            ) from None

    def put(self, key: str, value):
        """Keep a value (JSON-serialisable), durably.

        Raises:
            ValueError: it cannot be written (the disk is full, say); what was kept before stays.
        """
        try:
            with self.connection:
                self.connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (key, json.dumps(value)))
        except sqlite3.Error as error:
            raise ValueError(
                f"resume: found {str(self.path)!r}, which cannot be written ({error}), expected room for the results; "
                "what was kept before is still there"
            ) from None

    def close(self):
        self.connection.close()
