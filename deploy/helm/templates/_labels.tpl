{{- define "standin.selector" -}}
app.kubernetes.io/name: standin
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "standin.labels" -}}
{{ include "standin.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}
