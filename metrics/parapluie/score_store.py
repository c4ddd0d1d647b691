"""Scores kept on disk as they are made, so that an interrupted run goes on where it stopped."""

import hashlib
import json
import sqlite3


class ScoreStore:
    """A SQLite file with one row per scored pair.

    A row's key is a digest of everything its value depends on. Every call of `put` is one transaction: after a crash or
    kill -9 a row is there whole or not at all. Several processes may use one file.
    """

    def __init__(self, path: str, settings: dict):
        """Open or create the file.

        Args:
            path: the file.
            settings: what all pairs of this run share (model, revision, template, answers, ...), JSON-serialisable.

        Raises:
            ValueError: the file is no such store.
        """
        self.settings = json.dumps(settings, sort_keys=True)
        self.connection = sqlite3.connect(path, timeout=60)
        try:
            self.connection.execute("PRAGMA synchronous = FULL")
            self.connection.execute("CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
        except sqlite3.DatabaseError as error:
            self.connection.close()
            raise ValueError(f"parapluie: resume: found {path!r}, which is no score file ({error})") from None

    def key(self, *texts) -> str:
        """The digest for texts under this run's settings."""
        return hashlib.sha256(json.dumps([self.settings, *texts]).encode("utf-8", "surrogatepass")).hexdigest()

    def get(self, key: str):
        """The value kept under a key, or None."""
        row = self.connection.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
        return None if row is None else json.loads(row[0])

    def put(self, key: str, value):
        """Keep a value (JSON-serialisable), durably."""
        with self.connection:
            self.connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (key, json.dumps(value)))

    def close(self):
        self.connection.close()
