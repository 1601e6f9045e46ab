{{/* The labels of a resource: the context of the chart, and the name of its server. */}}
{{- define "rostergate.labels" -}}
{{- $top := index . 0 -}}
app.kubernetes.io/name: {{ index . 1 }}
app.kubernetes.io/part-of: rostergate
app.kubernetes.io/managed-by: {{ $top.Release.Service }}
helm.sh/chart: {{ $top.Chart.Name }}-{{ $top.Chart.Version }}
{{- end }}
