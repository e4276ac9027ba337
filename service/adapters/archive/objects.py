"""Files of the archive in an object store: S3 and what speaks its protocol, Google Cloud Storage or Azure."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final

from hoodwink.service.application.ports import DamagedArchive, StoreUnavailable

_REQUEST_SECONDS: Final = 10
_RETRIES: Final = 2


class ObjectStore:
    """Stores files under a URL, such as `s3://bucket/folder`. Credentials come from the environment, such as `AWS_*`."""

    def __init__(self, url: str) -> None:
        """Does not connect yet. Needs the extra `objects`, which the settings check."""
        # Imported late: only installations with an object store have these packages.
        import obstore  # noqa: PLC0415
        from obstore.exceptions import AlreadyExistsError, BaseError  # noqa: PLC0415
        from obstore.store import from_url  # noqa: PLC0415

        self._obstore: Any = obstore
        self._exists, self._errors = AlreadyExistsError, (BaseError, OSError)
        self._store = from_url(
            url,
            # An address with http:// is the operator's choice, for a server in the same network.
            client_options={"timeout": f"{_REQUEST_SECONDS}s", "allow_http": True},
            retry_config={"max_retries": _RETRIES},
        )

    def put(self, name: str, data: bytes) -> None:
        """See `Files`. An object is stored as a whole or not at all."""
        with self._reachable():
            try:
                self._obstore.put(self._store, name, data, mode="create")
            except self._exists as error:
                raise FileExistsError(name) from error

    def keep(self, name: str) -> bool:
        return self.size(name) is not None

    def read(self, name: str, offset: int, length: int) -> bytes:
        with self._reachable():
            try:
                data = bytes(self._obstore.get_range(self._store, name, start=offset, length=length))
            except FileNotFoundError:
                raise DamagedArchive(f"{name} is missing") from None
        if len(data) < length:
            raise DamagedArchive(f"{name} is too short")
        return data

    def size(self, name: str) -> int | None:
        with self._reachable(), suppress(FileNotFoundError):
            size: int = self._obstore.head(self._store, name)["size"]
            return size
        return None

    def sizes(self, folder: str) -> Mapping[str, int]:
        with self._reachable():
            pages = self._obstore.list(self._store, prefix=folder)
            return {one["path"]: one["size"] for page in pages for one in page}

    @contextmanager
    def _reachable(self) -> Iterator[None]:
        try:
            yield
        except (FileExistsError, DamagedArchive):
            raise
        except self._errors as error:
            # The rest of obstore's messages are many lines about Rust.
            raise StoreUnavailable(f"the archive does not answer: {str(error).splitlines()[0]}") from error
