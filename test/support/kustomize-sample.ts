/** A Deployment with two containers, one of them behind a registry with a port. */
export const deployment = (name: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: 1
  selector:
    matchLabels: {app: ${name}}
  template:
    metadata:
      labels: {app: ${name}}
    spec:
      containers:
      - name: c
        image: registry.example.org:5000/team/${name}:1
      - name: sidecar
        image: nginx
`

/** A base with generated settings, a component beside it, and an overlay with a prefix, a label, an image and a patch. */
export const kustomizeFiles = {
  'base/kustomization.yaml': `resources:
- web.yaml
- all.yaml
configMapGenerator:
- name: settings
  files: [app.properties, renamed=other.properties]
  envs: [env.properties]
`,
  'base/web.yaml': deployment('web'),
  'base/all.yaml': `# two in one file\n${deployment('api')}---\n${deployment('api-canary')}`,
  'base/app.properties': 'a=1\n',
  'base/other.properties': 'b=1\n',
  'base/env.properties': 'C=1\n',
  'component/kustomization.yaml':
    'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:\n- path: patch.yaml\n',
  'component/patch.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {minReadySeconds: 5}\n',
  'overlay/kustomization.yml': `resources: [../base]
namePrefix: prod-
commonLabels: {env: prod}
images:
- name: nginx
  newTag: "1.25"
patches:
- path: patch.yaml
  target: {kind: Deployment, name: web}
`,
  'overlay/patch.yaml': '- {op: replace, path: /spec/replicas, value: 3}\n',
  'unrelated/a.yaml': 'a: 1\n',
}
