"""JSON schemas of what is answered, which pydantic makes of the types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode
from pydantic_core import core_schema

from oasis.api.answers import Error, TacticError
from oasis.api.errors import Code

REFERENCE: Final = "#/components/schemas/{model}"
"""Where an OpenAPI page has the schema of a type."""
_MODE: Final[JsonSchemaMode] = "serialization"
_CODE: Final = {
    "type": "string",
    "enum": [str(code) for code in Code],
    "description": "\n".join(f"`{code}`: {code.about}" for code in Code),
}


class _Untitled(GenerateJsonSchema):
    """Schemas of fields without titles, which would only repeat their names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> dict[str, Any]:
        """The schema of an object; that of an error lists all codes."""
        told = super().typed_dict_schema(schema)
        if schema.get("cls") in (Error, TacticError):
            told["properties"]["code"] = _CODE
        return told


def schema_of_answer(answer: Any) -> dict[str, Any]:
    """Return the schema of a type of `oasis.api.answers`, whole."""
    return TypeAdapter(answer).json_schema(mode=_MODE, schema_generator=_Untitled)


def components(answers: Iterable[Any]) -> dict[str, Any]:
    """Return the schemas of types, and of those that they consist of, by their names, as an OpenAPI page has them."""
    inputs = [(answer, _MODE, TypeAdapter[Any](answer)) for answer in answers]
    _, told = TypeAdapter.json_schemas(inputs, ref_template=REFERENCE, schema_generator=_Untitled)
    schemas: dict[str, Any] = told["$defs"]
    return schemas
