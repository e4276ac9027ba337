import subprocess
import sys

SCRIPT = """
import sys
from hoodwink.service.http import server
print(*sorted({"rich", "structlog"} & set(sys.modules)))
server.import_for_good("hoodwink.service.adapters.process.log_lines")
print(*sorted({"rich", "structlog"} & set(sys.modules)))
import rich
"""


def test_a_process_of_the_service_leaves_out_rich_without_hiding_it_later():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)

    # The module that serves the API must not import structlog itself, or Rich would come with it.
    assert done.stdout == "\nstructlog\n"
