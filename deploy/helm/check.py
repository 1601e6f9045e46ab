"""Checks the chart with Helm's own engine: its linter, that it renders the resources of ../kubernetes, and the metrics of
its autoscalers. Writes what it renders with autoscaling to the folder of the first argument."""

import copy
import pathlib
import re
import sys

import helm_python
import yaml

here = pathlib.Path(__file__).parent
chart_folder = here / "rostergate"
faults = []


def resources(texts):
    """The resources of YAML texts by kind and name, without labels of the chart itself."""
    found = {}
    for text in texts:
        for resource in yaml.safe_load_all(text):
            if resource is None:
                continue
            labels = resource["metadata"].get("labels", {})
            for label in ("app.kubernetes.io/managed-by", "helm.sh/chart"):
                labels.pop(label, None)
            found[f"{resource['kind']} {resource['metadata']['name']}"] = resource
    return found


def with_servers(values, **changes):
    changed = copy.deepcopy(values)
    for server in changed["servers"].values():
        for name, change in changes.items():
            server[name] = {**server[name], **change} if isinstance(change, dict) else change
    return changed


def rejects(values, what):
    """The schema of the values must reject them."""
    try:
        chart.validate_schema(values)
    except helm_python.HelmError:
        return
    faults.append(f"values.schema.json accepts {what}.")


for message in helm_python.lint(str(chart_folder), strict=True, kube_version="v1.37.0")["messages"]:
    # Level 1 is a hint, such as a missing icon.
    if message["severity"] > 1:
        faults.append(f"{message['path']}: {message['error']}")

with helm_python.Chart.load(str(chart_folder)) as chart:
    values = chart.values
    plain = resources(chart.render(values, name="test", namespace="test").values())
    example = resources(
        (here.parent / "kubernetes" / f"{name}.yaml").read_text() for name in ("gateway", "staff-proxy", "scheduling")
    )
    for name in sorted(plain.keys() | example.keys()):
        if plain.get(name) != example.get(name):
            faults.append(f"{name} differs between the chart and ../kubernetes.")

    scaled_texts = chart.render(with_servers(values, autoscaling={"enabled": True}), name="test", namespace="test")
    scaled = resources(scaled_texts.values())
    for name in values["servers"]:
        if "replicas" in scaled[f"Deployment {name}"]["spec"]:
            faults.append(f"Deployment {name} sets replicas, which its autoscaler changes.")
    if resources(chart.render(with_servers(values, enabled=False), name="test", namespace="test").values()):
        faults.append("A server that is not enabled is rendered.")

    rejects({"servers": {**values["servers"], "gatway": values["servers"]["gateway"]}}, "an unknown server")
    rejects(with_servers(values, port=0), "the port 0")
    rejects(with_servers(values, autoscaling={"minReplicas": 0}), "an autoscaler without pods")

rules = yaml.safe_load((here / "prometheus-adapter.yaml").read_text())["rules"]["custom"]
offered = {rule["name"]["as"] for rule in rules}
used = {
    metric["pods"]["metric"]["name"]
    for resource in scaled.values()
    if resource["kind"] == "HorizontalPodAutoscaler"
    for metric in resource["spec"]["metrics"]
}
if used != offered:
    faults.append(f"The autoscalers use {sorted(used)}, and prometheus-adapter.yaml offers {sorted(offered)}.")
documented = (here.parent.parent / "ops/README.md").read_text()
for rule in rules:
    series = re.match(r"\w+", rule["seriesQuery"]).group().removesuffix("_count")
    if f"| `{series}` |" not in documented:
        faults.append(f"prometheus-adapter.yaml reads {series}, which ops/README.md does not list.")

if faults:
    sys.exit("\n".join(faults))
pathlib.Path(sys.argv[1], "chart.yaml").write_text("\n---\n".join(scaled_texts.values()))
print(f"helm/rostergate: ok, {len(plain)} resources as in kubernetes/, {len(scaled)} with autoscaling")
