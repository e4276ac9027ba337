"""Connects commands to the Redis of a service, for direct access to the stored events."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import click
from redis.exceptions import ResponseError

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.codec import UnknownEvent
from hoodwink.service.adapters.redis.failures import is_wrong_type
from hoodwink.service.application.errors import ApplicationError
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import InvalidSettings, Settings
from hoodwink.service.supervisor import find_instance


@contextmanager
def connected_service() -> Iterator[Service]:
    """Yields the service on the Redis at REDIS_URL, or else the one that runs on this data folder.

    Raises:
        ClickException: no service was found, its Redis does not respond, or the command was rejected.
    """
    try:
        settings = Settings.from_environment(os.environ)
        if settings.redis_url is None:
            instance = find_instance(settings.data_folder)
            if instance is None or instance.settings is None:
                raise click.ClickException(
                    f"No Hoodwink runs on the data folder {settings.data_folder}. Start one with "
                    "`make run` or `hoodwink run`, or set REDIS_URL to the Redis of another one."
                )
            # The running service may have been started with other variables than this shell has, such as limits.
            settings = instance.settings
        service = Service(settings)
        # Now, so that a Redis that does not answer or a full disk is reported before a long command begins.
        service.check_store()
        yield service
    except (ApplicationError, RuleViolation) as error:
        raise click.ClickException(error.detail) from None
    except (StoreUnavailable, InvalidSettings) as error:
        raise click.ClickException(str(error)) from None
    except ResponseError as error:
        if not is_wrong_type(error):
            raise
        raise click.ClickException(str(error)) from None
    except UnknownEvent as error:
        raise click.ClickException(f"A log is damaged ({error}). `hoodwink audit` names it.") from None
