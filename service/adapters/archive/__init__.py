"""The archive: logs of finished tables and tournaments in compressed, immutable files. Specified in docs/ARCHIVE.md."""
