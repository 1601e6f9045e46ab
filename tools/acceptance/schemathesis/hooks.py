"""What schemathesis cannot be told in its configuration: where it reads a contract otherwise than it is meant."""

import schemathesis
from hypothesis import strategies as st

schemathesis.openapi.format("entity-tags", st.sampled_from(["*", '"7"', 'W/"7"', '"1", "2"']))


@schemathesis.hook
def before_load_schema(context, raw_schema):
    for parameter in raw_schema.get("components", {}).get("parameters", {}).values():
        name_format(parameter)
    for operations in raw_schema["paths"].values():
        for operation in operations.values():
            if isinstance(operation, dict):
                for response in operation.get("responses", {}).values():
                    join_parametrised(response.get("content", {}))


def name_format(parameter):
    """It takes a header that needs more than letters and digits for impossible, and sends a wrong one as a right one,
    unless the form of the header has a name."""
    if parameter["name"] in ("If-Match", "If-None-Match"):
        parameter["schema"]["format"] = "entity-tags"


def join_parametrised(content):
    """It tells media types apart without their parameters: of two that differ in those alone, either schema may fit."""
    alike = {}
    for name in content:
        alike.setdefault(name.split(";")[0], []).append(name)
    for plain, names in alike.items():
        if len(names) > 1:
            content[plain] = {"schema": {"oneOf": [content.pop(name)["schema"] for name in names]}}
