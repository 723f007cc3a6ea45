"""Stores of plugins in Python: migrations and backups that fail."""
import contextlib
import pathlib
import sqlite3
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Sources/PluginSDK/Python"))

import workbench_plugin  # noqa: E402

MIGRATIONS = ["CREATE TABLE words (word TEXT)"]


class StoreTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = self.folder + "/words.sqlite"

    def store(self, migrations=MIGRATIONS):
        plugin = workbench_plugin.Plugin("sample", "Sample", "1.0.0", "Sample")
        plugin.folders = {"data": self.folder}
        store = workbench_plugin.Store(plugin, "words", migrations)
        store.seconds = 0.1
        return store

    def add(self, store, word):
        with contextlib.closing(store.open()) as connection, connection:
            connection.execute("INSERT INTO words VALUES (?)", (word,))

    def words(self, store):
        with contextlib.closing(store.open()) as connection:
            return [row[0] for row in connection.execute("SELECT word FROM words")]

    def backup(self):
        """Makes a backup of a store with the word 'old', to which 'new' is added."""
        store, path = self.store(), self.folder + "/backup"
        self.add(store, "old")
        store._backup(path)
        self.add(store, "new")
        return store, path

    @contextlib.contextmanager
    def locked(self):
        with contextlib.closing(sqlite3.connect(self.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")

    def assertLocked(self, function):
        with self.assertRaises(workbench_plugin.Error) as caught:
            function()
        report = caught.exception.report
        self.assertEqual((report["code"], report["isRetryable"]), ("store.locked", True))

    def test_a_migration_that_fails_leaves_the_store_unlocked_and_as_it_was(self):
        self.add(self.store(), "a")
        broken = self.store(MIGRATIONS + ["CREATE TABLE more (x TEXT); INSERT INTO nothing VALUES (1)"])
        # The traceback keeps the frames, and with them a connection that was not closed.
        with self.assertRaises(sqlite3.OperationalError) as caught:
            broken.open()
        self.add(self.store(), "b")
        self.assertEqual(self.words(self.store()), ["a", "b"])
        self.assertEqual(self.words(self.store(MIGRATIONS + ["CREATE TABLE more (x TEXT)"])), ["a", "b"])
        self.assertIn("nothing", str(caught.exception))

    def test_a_store_of_a_newer_version_is_refused(self):
        self.add(self.store(MIGRATIONS + ["CREATE TABLE more (x TEXT)"]), "a")
        with self.assertRaises(workbench_plugin.Error) as caught:
            self.store().open()
        self.assertEqual(caught.exception.report["code"], "store.too-new")

    def test_a_migration_waits_for_a_lock_and_then_says_that_it_can_be_tried_again(self):
        self.add(self.store(), "a")
        with self.locked():
            self.assertLocked(self.store(MIGRATIONS + ["CREATE TABLE more (x TEXT)"]).open)

    def test_a_backup_is_restored(self):
        store, backup = self.backup()
        store._restore(backup)
        self.assertEqual(self.words(store), ["old"])

    def test_a_restore_into_a_locked_store_can_be_tried_again(self):
        store, backup = self.backup()
        with self.locked():
            self.assertLocked(lambda: store._restore(backup))
        self.assertEqual(self.words(store), ["old", "new"])

    def test_files_that_are_not_backups_are_refused(self):
        store, _ = self.backup()
        (pathlib.Path(self.folder) / "text").write_text("this is not a database, but a text")
        for name in ("text", "missing"):
            with self.assertRaises(workbench_plugin.Error) as caught:
                store._restore(f"{self.folder}/{name}")
            self.assertEqual(caught.exception.report["code"], "store.bad-backup")
        self.assertEqual(self.words(store), ["old", "new"])


if __name__ == "__main__":
    unittest.main()
