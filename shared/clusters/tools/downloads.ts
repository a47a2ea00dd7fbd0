/** What a downloaded file is checked against: a digest written here, or the one that its publisher offers beside it. */
export type Checksum =
  | { readonly kind: 'pinned'; readonly algorithm: 'sha256' | 'sha512'; readonly value: string }
  | { readonly kind: 'published'; readonly algorithm: 'sha256'; readonly url: string }

/** One tool as its publisher offers it for this kind of machine. */
export type Download = {
  readonly tool: string
  readonly version: string
  readonly url: string
  readonly checksum: Checksum
  /** Files of a `.tar.gz` and the tools that they are; absent for a plain binary. */
  readonly members?: Readonly<Record<string, string>>
}

export type Platform = { readonly os: string; readonly arch: string }

export function thisPlatform(): Platform {
  const os = { win32: 'windows' }[process.platform as string] ?? process.platform
  return { os, arch: { x64: 'amd64' }[process.arch as string] ?? process.arch }
}

/** What a first create takes where the person names no version. */
const KIND = 'v0.30.0'
const MINIKUBE = 'v1.38.1'
const KUBERNETES = 'v1.36.2'

type Pins = Readonly<Record<string, string>>

/** SHA-256 of the release files on GitHub, as kind's own `.sha256sum` files and the build files of cert-manager have them. */
const KIND_PINS: Pins = {
  'v0.30.0/linux-amd64': '517ab7fc89ddeed5fa65abf71530d90648d9638ef0c4cde22c2c11f8097b8889',
  'v0.30.0/linux-arm64': '7ea2de9d2d190022ed4a8a4e3ac0636c8a455e460b9a13ccf19f15d07f4f00eb',
  'v0.30.0/darwin-amd64': '4f0b6e3b88bdc66d922c08469f05ef507d4903dd236e6319199bb9c868eed274',
  'v0.30.0/darwin-arm64': 'ceaf40df1d1551c481fb50e3deb5c3deecad5fd599df5469626b70ddf52a1518',
}

/** SHA-512, from controller-tools' `envtest-releases.yaml`. */
const ENVTEST_PINS: Pins = {
  'v1.36.2/linux-amd64':
    'ea743186c8a799f5cf8faf16969f86189d003cb7d130e0ac4b58789f1e5748dcf30ebe91c837a10d5ac415383da3e10b9e64d65785c938c23e739781cfb76f08',
  'v1.36.2/linux-arm64':
    '2d72ee985a8e262a3c57dc9f7f0fd891f6a8c7bf7ebaa2db6dc6d8eac8ae28181afe51c1f368b67756cdb40b10de9b205609e1726e5f27f7c6d824dd9c6649ac',
  'v1.36.2/darwin-arm64':
    '9278f9e5af556b2f1f2d139769c1f0d717c7b4426917fdebdba898bcb725a916e4910d6160886194ff9be9589ea7c5c32c2b8ae0754703874b7c8ba8ddfc41ce',
}

/** How a tool is had; undefined for a tool or a machine that its publisher does not build for. */
export function downloadOf(tool: string, version: string | undefined, platform: Platform): Download | undefined {
  return DOWNLOADS[tool]?.(version, platform)
}

const DOWNLOADS: Readonly<Record<string, (version: string | undefined, platform: Platform) => Download | undefined>> = {
  kind: (version = KIND, { os, arch }) => {
    const suffix = os === 'windows' ? '.exe' : ''
    const url = `https://github.com/kubernetes-sigs/kind/releases/download/${version}/kind-${os}-${arch}${suffix}`
    return {
      tool: 'kind',
      version,
      url,
      checksum: pinned(KIND_PINS, version, { os, arch }, 'sha256', `${url}.sha256sum`),
    }
  },
  minikube: (version = MINIKUBE, { os, arch }) => {
    const suffix = os === 'windows' ? '.exe' : ''
    const url = `https://storage.googleapis.com/minikube/releases/${version}/minikube-${os}-${arch}${suffix}`
    return {
      tool: 'minikube',
      version,
      url,
      checksum: { kind: 'published', algorithm: 'sha256', url: `${url}.sha256` },
    }
  },
  envtest: (version = KUBERNETES, platform) => {
    const { os, arch } = platform
    const value = ENVTEST_PINS[`${version}/${os}-${arch}`]
    // Its publisher offers digests in one file of all releases, and only those written here are known to be its.
    if (value === undefined) return undefined
    const base = 'https://github.com/kubernetes-sigs/controller-tools/releases/download'
    const url = `${base}/envtest-${version}/envtest-${version}-${os}-${arch}.tar.gz`
    const names = ['kube-apiserver', 'etcd', 'kubectl']
    const members = Object.fromEntries(names.map((name) => [`controller-tools/envtest/${name}`, name]))
    return { tool: 'envtest', version, url, checksum: { kind: 'pinned', algorithm: 'sha512', value }, members }
  },
  'kube-controller-manager': (version = KUBERNETES, { os, arch }) => {
    // Kubernetes publishes its servers for Linux alone.
    if (os !== 'linux') return undefined
    const url = `https://dl.k8s.io/release/${version}/bin/${os}/${arch}/kube-controller-manager`
    const checksum = { kind: 'published', algorithm: 'sha256', url: `${url}.sha256` } as const
    return { tool: 'kube-controller-manager', version, url, checksum }
  },
}

function pinned(pins: Pins, version: string, { os, arch }: Platform, algorithm: 'sha256', url: string): Checksum {
  const value = pins[`${version}/${os}-${arch}`]
  return value === undefined ? { kind: 'published', algorithm, url } : { kind: 'pinned', algorithm, value }
}
