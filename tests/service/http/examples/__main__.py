"""Records the examples of the API and of the guide to clients: `python -m tests.service.http.examples`."""

from hoodwink.service.http.description.examples import RECORDED
from tests.service.http.examples import transcript
from tests.service.http.examples.recording import as_files, record_examples

if __name__ == "__main__":
    shown = record_examples()
    for name, text in as_files(shown).items():
        (RECORDED / name).write_text(text, encoding="utf-8")
    transcript.PAGE.write_text(transcript.page_with_transcript(), encoding="utf-8")
    print(f"The examples of {len(shown)} operations are recorded; `hoodwink openapi` writes the description.")
