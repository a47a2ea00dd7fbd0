/** A chart with values, helpers, CRDs and a test, and files beside it. */
export const chartFiles: Readonly<Record<string, string>> = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: the-chart\nversion: 1.0.0\n',
  'chart/values.yaml': 'image: {name: nginx, tag: "1"}\nreplicas: 1\nlist: []\ntext: ""\nfile: ""\n',
  'chart/values-prod.yaml': 'replicas: 3\n',
  'chart/crds/crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: as.example.org}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: bs.example.org}
`,
  'chart/templates/_helpers.tpl': '{{- define "name" -}}{{ .Release.Name }}-{{ .Chart.Name }}{{- end }}\n',
  'chart/templates/all.yaml': `{{- if true }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "name" . }}-config
data:
  text: {{ .Values.text | quote }}
  file: {{ .Values.file | quote }}
  list: {{ .Values.list | toJson | quote }}
  kube: {{ .Capabilities.KubeVersion.Version }}
  monitoring: {{ .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" | quote }}
  namespace: {{ .Release.Namespace }}
{{- end }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ include "name" . }}-web
spec:
  ports: [{port: 80}]
`,
  'chart/templates/web.yaml': `# A comment first.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "name" . }}-web
spec:
  replicas: {{ .Values.replicas }}
  template: {spec: {containers: [{name: a, image: "{{ .Values.image.name }}:{{ .Values.image.tag }}", args: [yes]}]}}
`,
  'chart/templates/tests/test.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: check\n  annotations: {"helm.sh/hook": test}\n',
  'shared/values.yaml': 'replicas: 5\n',
  'shared/text.txt': 'from, a file',
}
