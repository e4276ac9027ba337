"""Clients generated in Python from openapi.yaml play a table."""

import importlib
import subprocess
import sys
import time
from itertools import islice, repeat
from pathlib import Path

import httpx
import pytest

pytestmark = pytest.mark.processes

DESCRIPTION = Path(__file__).parents[2] / "openapi.yaml"
MAX_LOOKS = 2_000


def generated(tmp_path, monkeypatch, *command):
    """Runs a generator that writes the module `described`; returns the output and the module."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "described", raising=False)
    return said, importlib.import_module("described")


def looks():
    """Yields often enough for a whole table, with a pause from the second time on."""
    yield
    for _ in islice(repeat(None), MAX_LOOKS):
        time.sleep(0.01)
        yield
    pytest.fail("the table does not end")


@pytest.mark.campaign
def test_a_client_of_openapi_python_client_plays_a_table(served, tmp_path, monkeypatch):
    said, client = generated(
        tmp_path, monkeypatch, "openapi_python_client", "generate", "--meta", "none",
        "--path", str(DESCRIPTION), "--output-path", "described",
    )  # fmt: skip
    assert "will not be generated" not in said
    assert "Unable to" not in said

    def api(name):
        return importlib.import_module(f"described.api.{name}").sync

    models = importlib.import_module("described.models")
    with client.Client(served) as stranger:
        player = api("players.register_player")(client=stranger, body=models.PlayerForm(name="Ada"))
    wanted = models.BlindsideTable(
        game="blindside", seats=2, options=models.BlindsideOptions(rounds=1), bot_delay=0, round_pause=0
    )
    with client.AuthenticatedClient(served, token=player.token) as ada:
        table = api("tables.open_table")(client=ada, body=wanted).view.id
        for form in (models.SeatForm(), models.SeatForm(policy=models.SeatFormPolicy.STEADY)):
            api("tables.take_seat")(table, client=ada, body=form)
        api("tables.start_table")(table, client=ada, body=models.ExpectationForm())
        for _ in looks():
            seen = api("tables.get_table")(table, client=ada, include="legal_actions")
            if seen.view.phase == models.Phase.ENDED:
                break
            if seen.legal_actions.actions:
                api("play.act")(table, client=ada, body=seen.legal_actions.actions[0])

    assert isinstance(seen.view, models.BlindsideTableView)
    assert seen.view.options.rounds == 1
    assert seen.view.result.outcome == "played_out"


@pytest.mark.campaign
def test_models_of_datamodel_code_generator_play_a_table(served, tmp_path, monkeypatch):
    _, models = generated(
        tmp_path, monkeypatch, "datamodel_code_generator", "--input", str(DESCRIPTION),
        "--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel", "--output", "described.py",
    )  # fmt: skip
    with httpx.Client(base_url=f"{served}/v1") as service:

        def post(path, form, answer):
            sent = form.model_dump_json(exclude_none=True)
            asked = service.post(path, content=sent, headers={"Content-Type": "application/json"})
            return answer.model_validate_json(asked.raise_for_status().content)

        player = post("/players", models.PlayerForm(name="Ada"), models.Registered)
        service.headers["Authorization"] = f"Bearer {player.token}"
        wanted = models.BlindsideTable(
            game="blindside", seats=2, options=models.BlindsideOptions(rounds=1), bot_delay=0, round_pause=0
        )
        path = f"/tables/{post('/tables', wanted, models.TableAnswer).view.root.id}"
        post(f"{path}/seats", models.SeatForm(), models.AcceptedAnswer)
        post(f"{path}/seats", models.SeatForm(policy="steady"), models.AcceptedAnswer)
        post(f"{path}/start", models.ExpectationForm(), models.AcceptedAnswer)
        for _ in looks():
            shown = service.get(path, params={"include": "legal_actions"}).raise_for_status()
            seen = models.TableAnswer.model_validate_json(shown.content)
            view = seen.view.root
            if view.phase is models.Phase.ended:
                break
            if seen.legal_actions.actions:
                post(f"{path}/actions", seen.legal_actions.actions[0], models.AcceptedAnswer)

    assert isinstance(view, models.BlindsideTableView)
    assert view.options.rounds == 1
    assert view.result.outcome.value == "played_out"
