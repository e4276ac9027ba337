"""Records the examples of the API's description, and the transcript in docs/CLIENT.md: `python -m tests.service.http.examples`."""

from service.http.description.examples import RECORDED
from tests.service.http.examples import transcript
from tests.service.http.examples.recording import as_file, recorded

if __name__ == "__main__":
    found = recorded()
    for file in RECORDED.glob("*.json"):
        if file.stem not in found:
            file.unlink()
    for name, examples in found.items():
        (RECORDED / f"{name}.json").write_text(as_file(examples), encoding="utf-8")
    transcript.CLIENT.write_text(transcript.written(), encoding="utf-8")
    print(f"The examples of {len(found)} operations are recorded; `hoodwink openapi` writes the description.")
