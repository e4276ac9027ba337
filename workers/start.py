"""Starts a worker: `python -m hoodwink.workers.start hoodwink.workers.projector`."""

import sys

from hoodwink.service.adapters.process.interpreter import import_for_good

if __name__ == "__main__":
    import_for_good(sys.argv[1]).main()
