"""`hoodwink openapi`: writes the OpenAPI description that the code generates, or checks a written one."""

from pathlib import Path

import click

from hoodwink.service.http.description import API
from hoodwink.service.http.description.openapi import as_yaml


@click.command("openapi")
@click.argument("file", default="openapi.yaml", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--check", is_flag=True, help="Write nothing; fail if FILE is not up to date.")
def command(*, file: Path, check: bool) -> None:
    """Write the OpenAPI 3.1 description of the API to FILE, by default openapi.yaml."""
    if not check:
        file.write_text(as_yaml(API), encoding="utf-8")
    elif not file.exists():
        raise click.ClickException(f"There is no {file} here; write it with `hoodwink openapi {file}`.")
    elif file.read_bytes() != as_yaml(API).encode():
        raise click.ClickException(f"{file} is out of date; write it again with `hoodwink openapi {file}`.")
