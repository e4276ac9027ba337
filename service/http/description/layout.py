"""The layout of `openapi.yaml`: everything that fits is on one line, and so is each text, so that a change touches few lines."""

from typing import Any, Final

import yaml

_LINE: Final = 200
_EXAMPLES: Final = frozenset({"example", "examples"})
_TOO_LONG: Final = 10**6
_TEXT: Final = "tag:yaml.org,2002:str"


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks, and repeated objects in full."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.best_indent = 1  # the option `indent` must be at least 2, which adds a twentieth to the file

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: FBT001, FBT002
        super().increase_indent(flow, indentless)
        if self.sequence_context and not indentless:
            self.indent = (self.indent or 0) + 1  # an object in a list begins on the line of its dash

    def ignore_aliases(self, data: Any) -> bool:
        return True  # aliases would depend on which objects the code happens to share

    def serialize(self, node: yaml.Node) -> None:
        _fold(node, 0)
        super().serialize(node)


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar(_TEXT, text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def as_text(document: dict[str, Any]) -> str:
    text: str = yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_TOO_LONG)
    return text


def _fold(node: yaml.Node, indent: int) -> int:
    """Puts plain lists, examples, and everything that fits, on one line each; returns the length of the node."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value in _EXAMPLES:  # they are recorded, so nobody edits or reviews their lines
                _put_on_one_line(value)
        parts = [len(key.value) + _fold(value, indent + 1) for key, value in node.value]
        is_plain = False
    elif isinstance(node, yaml.SequenceNode):
        parts = [_fold(item, indent + 1) for item in node.value]
        is_plain = all(isinstance(item, yaml.ScalarNode) and item.style is None for item in node.value)
    else:
        return _TOO_LONG if "\n" in node.value else len(node.value) + 2
    length = sum(parts) + 4 * len(parts)
    node.flow_style = node.flow_style or is_plain or length < _LINE - indent
    return length if node.flow_style else _TOO_LONG


def _put_on_one_line(node: yaml.Node) -> None:
    if isinstance(node, yaml.CollectionNode):
        node.flow_style = True
