"""The archive: logs of finished tables, tournaments and series in compressed, immutable files. Specified in docs/ARCHIVE.md."""
