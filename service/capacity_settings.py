"""The settings that say how much the processes of an installation do at the same time, and how much memory they use."""

from typing import Annotated

from msgspec import Meta, field

from hoodwink.service.limit_settings import LimitSettings


class CapacitySettings(LimitSettings, frozen=True, kw_only=True):
    api_workers: Annotated[int, Meta(ge=1, le=256, description="Processes that answer HTTP requests.")] = (
        field(default=2, name="HOODWINK_API_WORKERS")
    )
    api_threads: Annotated[int, Meta(ge=1, le=256, description="Threads in each of these processes.")] = (
        field(default=8, name="HOODWINK_API_THREADS")
    )
    api_streams: Annotated[
        int,
        Meta(
            ge=4,  # so that a quarter of them is at least one
            le=10_000,
            description="Event streams in each of these processes; a quarter is reserved for seated players.",
        ),
    ] = field(default=500, name="HOODWINK_API_STREAMS")
    body_megabytes: Annotated[
        int,
        Meta(
            ge=16,  # room for the largest log
            le=65_536,
            description="MiB in each of these processes for request bodies over 64 KiB that are not answered yet; the same "
            "for responses over 64 KiB that clients have not read.",
        ),
    ] = field(default=64, name="HOODWINK_BODY_MEGABYTES")
    connections_per_address: Annotated[
        int,
        Meta(
            ge=1,
            le=16_384,
            description="Idle connections that one address may have in each of these processes.",
        ),
    ] = field(default=512, name="HOODWINK_CONNECTIONS_PER_ADDRESS")
    worker_slots: Annotated[
        int, Meta(ge=1, le=256, description="Celery tasks that a worker runs concurrently, in threads.")
    ] = field(default=4, name="HOODWINK_WORKER_SLOTS")
    job_slots: Annotated[
        int,
        Meta(
            ge=0,
            le=64,
            description="Jobs that a job worker runs concurrently, each in its own process; 0 for none, for instance "
            "because another machine runs them.",
        ),
    ] = field(default=2, name="HOODWINK_JOB_SLOTS")
    thinking_slots: Annotated[
        int,
        Meta(
            ge=0,
            le=64,
            description="Decisions that thinkers make concurrently for bots, each in its own process; 0 for none, for "
            "instance because another machine has thinkers.",
        ),
    ] = field(default=2, name="HOODWINK_THINKING_SLOTS")
    push_slots: Annotated[
        int,
        Meta(
            ge=0,
            le=256,
            description="Pushes to players' browsers that are sent concurrently, in threads; 0 for none, for instance because "
            "another machine sends them. `hoodwink run` then leaves out the part that sends pushes and messages of webhooks.",
        ),
    ] = field(default=4, name="HOODWINK_PUSH_SLOTS")
    webhook_slots: Annotated[
        int,
        Meta(
            ge=0,
            le=256,
            description="Webhooks whose messages are sent concurrently, in threads of the process that sends pushes; 0 for none, "
            "and then none can be added.",
        ),
    ] = field(default=4, name="HOODWINK_WEBHOOK_SLOTS")
    job_seconds: Annotated[
        int,
        Meta(
            ge=1,
            le=100,  # a job's time limit must stay below JOB_VISIBILITY_SECONDS, or the broker would hand it out twice
            description="Seconds of CPU time that one job may use.",
        ),
    ] = field(default=60, name="HOODWINK_JOB_SECONDS")
    job_megabytes: Annotated[
        int, Meta(ge=64, le=65_536, description="MiB of memory that one job may use on top of its process.")
    ] = field(default=512, name="HOODWINK_JOB_MEGABYTES")
    jobs_megabytes: Annotated[
        int,
        Meta(
            ge=112,  # so that one client may send the largest log
            le=65_536,
            description="MiB in Redis for the inputs and results of all jobs; inputs may use three quarters, and each address "
            "or player a fifth of what the others leave.",
        ),
    ] = field(default=128, name="HOODWINK_JOBS_MEGABYTES")
