import { isArray, isObject, valueAt } from '../../model/json.ts'
import type { Json } from '../../model/json.ts'
import type { Cancellable, Checkout } from '../../model/ports.ts'
import type { Path } from '../../model/pointer.ts'
import { RenderError, placeText } from '../errors.ts'
import type { ManifestMaker } from '../manifests.ts'
import { below, repositoryPath } from '../source-path.ts'
import { textAt } from '../text-at.ts'
import { decodeText } from '../yaml/decode.ts'
import type { YamlDocument, YamlReader } from '../yaml/read.ts'

/** A chart as its Chart.yaml has it. */
export type Chart = {
  /** Charts of the same repository that it names by file://, to be put where helm looks for them. */
  readonly local: readonly LocalDependency[]
}

type LocalDependency = { readonly name: string; readonly folder: string; readonly target: string }

type Context = {
  readonly checkout: Checkout
  readonly reader: YamlReader
  readonly maker: ManifestMaker
  readonly options: Cancellable
}

const maxDepth = 10

/**
 * Reads a chart and checks that every dependency is there, since nothing is fetched.
 * @throws RenderError `missing-dependency`, `path-missing`, `not-an-object`, with the place
 */
export async function readChart(folder: string, context: Context, target = folder, depth = 0): Promise<Chart> {
  const file = below(folder, 'Chart.yaml')
  const document = await readDocument(file, context)
  if (document === undefined)
    throw new RenderError('path-missing', `${folder === '' ? 'the repository' : folder} has no Chart.yaml`)
  const listed = (await context.checkout.list(folder, context.options)).map(({ path }) => path)
  const vendored = listed.filter((path) => path.startsWith(below(folder, 'charts/')))
  const local: LocalDependency[] = []
  for (const { dependency, at, of, from } of await dependenciesOf(folder, document, context)) {
    if (isVendored(dependency.name, below(folder, 'charts'), vendored)) continue
    const place = context.maker.placeOf(of, at, from)
    if (!dependency.repository.startsWith('file://')) {
      throw new RenderError(
        'missing-dependency',
        `${placeText(place)}: the chart needs ${dependency.name}, which is not in ${below(folder, 'charts')}; run \`helm dependency build ${folder === '' ? '.' : folder}\` and commit the charts folder`,
        { place },
      )
    }
    if (depth >= maxDepth)
      throw new RenderError('too-deep', `${placeText(place)}: charts depend on charts ${maxDepth} levels deep`, {
        place,
      })
    const other = repositoryPath(dependency.repository.slice('file://'.length), folder, placeText(place))
    const into = below(target, `charts/${dependency.name}`)
    const inner = await readChart(other, context, into, depth + 1)
    local.push({ name: dependency.name, folder: other, target: into }, ...inner.local)
  }
  return { local }
}

type Dependency = { readonly name: string; readonly repository: string }
/** A dependency and where it is written. */
type WrittenDependency = {
  readonly dependency: Dependency
  readonly at: Path
  readonly of: YamlDocument
  readonly from: string
}

async function dependenciesOf(
  folder: string,
  chart: YamlDocument,
  context: Context,
): Promise<readonly WrittenDependency[]> {
  const own = { of: chart, from: below(folder, 'Chart.yaml') }
  const old = below(folder, 'requirements.yaml')
  // Charts of apiVersion v1 keep their dependencies in a file of their own.
  const older = valueAt(chart.value, ['apiVersion']) === 'v1' ? await readDocument(old, context) : undefined
  const sources = older === undefined ? [own] : [own, { of: older, from: old }]
  return sources.flatMap(({ of, from }) => {
    const listed = valueAt(of.value, ['dependencies'])
    if (!isArray(listed)) return []
    return listed.map((each, index) => ({ dependency: dependencyOf(each), at: ['dependencies', index], of, from }))
  })
}

function dependencyOf(value: Json): Dependency {
  return { name: textAt(value, ['name']), repository: textAt(value, ['repository']) }
}

function isVendored(name: string, charts: string, paths: readonly string[]): boolean {
  return paths.some((path) => {
    const rest = path.slice(charts.length + 1)
    return rest.startsWith(`${name}/`) || (rest.startsWith(`${name}-`) && /^[^/]*\.tgz$/.test(rest))
  })
}

async function readDocument(file: string, { checkout, reader, options }: Context): Promise<YamlDocument | undefined> {
  if ((await checkout.treeId(file, options)) === undefined) return undefined
  const [document] = reader.read(decodeText(await checkout.read(file, options), file), file)
  if (document !== undefined && isObject(document.value)) return document
  const place = { file, line: 1, column: 1 }
  throw new RenderError('not-an-object', `${placeText(place)}: a map was expected`, { place })
}
