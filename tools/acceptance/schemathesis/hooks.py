"""Corrections of schemathesis that its configuration cannot express."""

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
    """Without a named format, schemathesis treats a header that needs more than letters and digits as impossible and sends
    an invalid one as valid."""
    if parameter["name"] in ("If-Match", "If-None-Match"):
        parameter["schema"]["format"] = "entity-tags"


def join_parametrised(content):
    """Schemathesis ignores the parameters of media types: if two differ only in parameters, either schema may match."""
    alike = {}
    for name in content:
        alike.setdefault(name.split(";")[0], []).append(name)
    for plain, names in alike.items():
        if len(names) > 1:
            content[plain] = {"schema": {"oneOf": [content.pop(name)["schema"] for name in names]}}
