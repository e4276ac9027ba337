"""The work of each kind of job.

A function here may run twice for one job, even in several processes, and must lead to the same outcome. It calls
`progress` with the amount of work done and the total, as often as is convenient.
"""

from collections.abc import Callable, Mapping, Sequence
from time import process_time
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import msgspec

from hoodwink.domain.tables.proving.lineage import verify_lineage
from hoodwink.domain.tables.proving.log import count_events, split_logs
from hoodwink.domain.tournaments import life
from hoodwink.service.application.commands.import_shelf import Keeper
from hoodwink.service.application.commands.imports import InvalidLog
from hoodwink.service.application.commands.tournament_orders import OrganiserOrder
from hoodwink.service.application.errors import BusyCode, JobCode
from hoodwink.service.application.jobs.job_runs import Progress, Work
from hoodwink.service.application.jobs.jobs import MAX_OUTCOME, Claimed, JobKind, Outcome
from hoodwink.service.application.limits import Limit
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.application.reading.advice import Question
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.failures import problem_of
from hoodwink.service.http.framework.job_replies import outcome_of
from hoodwink.service.http.messages.answers import encode, position_text
from hoodwink.service.http.messages.import_answers import import_answer, invalid_log
from hoodwink.service.http.messages.problems import HttpCode, Problem, Refusal
from hoodwink.service.http.messages.verdict_answers import verdict_answer
from hoodwink.service.http.resources.tournaments.commands import TournamentCommands
from hoodwink.service.http.resources.tournaments.readings import Reading, TournamentReader
from hoodwink.workers.job_limits import TooExpensive

_REVIEWING: Final = 0.7
"""The share of a job's processor time after which a review leaves out the moves that are left, rather than fail."""
_MAX_REVIEWED: Final = 500
"""The moves in one review, which bounds the size of its outcome."""

KindOfWork: TypeAlias = Callable[[Service, Claimed, Progress], Outcome]


def work_of(
    service: Service, run_limited: Callable[[Callable[[], Outcome]], Outcome] = lambda work: work()
) -> Work:
    """Returns the work of all kinds.

    Args:
        service: the parts of the service that the work needs.
        run_limited: does work and returns its outcome; raises `TooExpensive` or `MemoryError` beyond a limit.
    """

    def work(claimed: Claimed, progress: Progress) -> Outcome:
        try:
            outcome = run_limited(lambda: WORKS[claimed.kind](service, claimed, progress))
        except (TooExpensive, MemoryError):
            return failure(Problem(JobCode.JOB_TOO_EXPENSIVE))
        except StoreUnavailable:
            raise  # no outcome: the job runs again once the store is back
        except Exception as error:  # noqa: BLE001 - each error has its problem document, and faults are logged
            return failure(problem_of(error, "JOB", claimed.kind))
        # The store has room for outcomes of this size; a larger one would displace those of many others.
        if len(bytes(outcome.body)) > MAX_OUTCOME:
            return failure(Problem(JobCode.JOB_TOO_EXPENSIVE))
        return outcome

    return work


def success(answer: Any, status: int = 200, **headers: str) -> Outcome:
    """Returns the outcome with an answer of the API as its body."""
    return Outcome(status=status, body=msgspec.Raw(encode(answer)), headers=headers)


def failure(problem: Problem) -> Outcome:
    """Returns the outcome with a problem document as its body."""
    return Outcome(status=problem.status, body=msgspec.Raw(problem.encoded()), headers=dict(problem.headers))


GIVEN_UP: Final = failure(Problem(Refusal(503, BusyCode.JOB_INTERRUPTED)))
"""The outcome of a job that has killed its worker at every attempt."""


def _counting(logs: Sequence[bytes], progress: Progress) -> Callable[[int], None]:
    """Returns a function that adds up checked events and reports them, with the number in all logs as the total."""
    total, done = sum(map(count_events, logs)), 0

    def checked(events: int) -> None:
        nonlocal done
        done += events
        progress(min(done, total), total)

    return checked


def _verify(_service: Service, job: Claimed, progress: Progress) -> Outcome:
    logs = split_logs(job.input)
    return success(verify_lineage(logs, _counting(logs, progress)))


def _verify_tournament(_service: Service, job: Claimed, progress: Progress) -> Outcome:
    logs = split_logs(job.input)
    return success(verdict_answer(life.verify_log(logs[0], logs[1:], _counting(logs, progress))))


def _check_not_banned(service: Service, job: Claimed) -> None:
    """Raises `Problem` if the player has been banned since the request."""
    # Here once more, because a job may have waited since the request was checked.
    if service.players.get(job.owners[Limit.JOBS_PER_PLAYER]).is_banned:
        raise Problem(HttpCode.PLAYER_BANNED)


def _import(service: Service, job: Claimed, progress: Progress) -> Outcome:
    _check_not_banned(service, job)
    imports, address = service.imports, job.owners[Limit.JOBS_PER_ADDRESS]
    keeper = Keeper(job.owners[Limit.JOBS_PER_PLAYER], service.identities.hidden_address(address))
    try:
        made = imports.add(job.input, keeper, _counting([job.input], progress))
    except InvalidLog as error:
        return failure(invalid_log(error.finding))
    loaded, found = imports.look(made, keeper.player)
    answer = import_answer(made, found, loaded, "everybody", imports.names(found.shelved))
    tag = f'"{position_text(loaded.position)}"'
    return success(answer, 201, Location=f"/v1/imports/{made}", ETag=tag)


def _order(service: Service, job: Claimed, _progress: Progress) -> Outcome:
    _check_not_banned(service, job)
    given = msgspec.json.decode(job.input, type=OrganiserOrder)
    return outcome_of(TournamentCommands(service).carry_out(given))


def _reading(service: Service, job: Claimed, _progress: Progress) -> Outcome:
    return outcome_of(TournamentReader(service).read(msgspec.json.decode(job.input, type=Reading)))


def _step(service: Service, job: Claimed, _progress: Progress) -> Outcome:
    # The step itself is the outcome. Nobody waits for this answer.
    service.tournament_worker.carry_out(job.input.decode())
    return success(None)


def _hint(service: Service, job: Claimed, _progress: Progress) -> Outcome:
    return success(service.adviser.hint(msgspec.json.decode(job.input, type=Question)))


def _review(service: Service, job: Claimed, progress: Progress) -> Outcome:
    ends = process_time() + _REVIEWING * service.settings.job_seconds

    def done(moves: int, total: int) -> bool:
        progress(moves, min(total, _MAX_REVIEWED))
        return process_time() < ends and moves < _MAX_REVIEWED

    return success(service.adviser.review(msgspec.json.decode(job.input, type=Question), done))


WORKS: Final[Mapping[JobKind, KindOfWork]] = MappingProxyType(
    {
        JobKind.VERIFY: _verify,
        JobKind.VERIFY_TOURNAMENT: _verify_tournament,
        JobKind.IMPORT: _import,
        JobKind.TOURNAMENT_COMMAND: _order,
        JobKind.TOURNAMENT_STEP: _step,
        JobKind.TOURNAMENT_READING: _reading,
        JobKind.REVIEW: _review,
        JobKind.HINT: _hint,
    }
)
