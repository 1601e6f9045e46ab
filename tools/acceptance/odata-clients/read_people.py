"""Reads the people of a scheduling server with python-odata and prints what it found as JSON."""

import json
import os

import requests
from odata import ODataService
from odata.exceptions import ODataError

root = os.environ["ODATA_ROOT"]


def connect(token: str, **headers: str) -> ODataService:
    session = requests.Session()
    session.headers.update({"Authorization": f"Bearer {token}", **headers})
    return ODataService(root, reflect_entities=True, quiet_progress=True, session=session)


def status_and_code(service: ODataService, path: str) -> list:
    try:
        service.default_context.connection.execute_get(root + path)
    except ODataError as error:
        return [int(error.status_code.removeprefix("HTTP ")), error.code]
    return []


def read_all(token: str) -> dict:
    service = connect(token)
    person = service.entities["StaffMembers"]
    query = service.query(person)
    gold = query.filter("Tags/any(t:t/Tags/any(e:e/Name eq 'Gold'))").order_by(person.StaffId.desc())
    raw = query.raw(
        {
            "$filter": "StaffId eq 'I-01'",
            "$expand": "Tags($filter=CategoryName eq 'Colour';$select=CategoryName,Tags)",
        }
    )
    one = query.get("k2")
    by_key = service.default_context.connection.execute_get(one.__odata__.instance_url)
    paged = connect(token, Prefer="odata.maxpagesize=10")
    everyone = [each.StaffId for each in paged.query(paged.entities["StaffMembers"]).order_by(person.LastName.asc())]
    return {
        "sets": list(service.entities),
        "key": [name for name, _ in one.__odata__.primary_key_properties],
        "filtered": [each.StaffId for each in gold],
        "counted": query.filter(person.Fte < 1).count(),
        "count": query.count(),
        "everyone": sorted(everyone),
        "tags": [tag["Name"] for category in raw[0]["Tags"] for tag in category["Tags"]],
        "expanded": [category.CategoryName for each in gold.expand(person.Tags) for category in each.Tags],
        "person": [one.FirstName, one.StartDate.isoformat(), str(one.Fte)],
        "byKey": by_key["FirstName"],
        "missing": status_and_code(service, "StaffMembers('nobody')"),
        "invalid": status_and_code(service, "StaffMembers?$filter=Nobody eq 1"),
    }


print(
    json.dumps(
        {
            "admin": read_all(os.environ["ADMIN_TOKEN"]),
            "reader": read_all(os.environ["READER_TOKEN"]),
            "unauthorized": status_and_code(connect("wrong"), "StaffMembers"),
        }
    )
)
