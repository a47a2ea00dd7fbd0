import type { Application } from '../model/application.ts'
import type { DesiredState } from './desired.ts'
import { aggregateProblems } from './health/aggregate.ts'
import { roleProblems } from './hooks/read-hook.ts'
import { optionsOf, unknownOptions } from './options.ts'

/** Sentences about sync options, hooks and waves that mean nothing: they are said, and nothing else is made of them. */
export function wordProblems(application: Application, desired: DesiredState): readonly string[] {
  const known = problems.get(desired)
  const own = known ?? inManifests(desired)
  if (known === undefined) problems.set(desired, own)
  const { syncOptions } = application.syncPolicy
  return [...unknownOptions(syncOptions).map((problem) => `spec.syncPolicy.syncOptions: ${problem}`), ...own]
}

const problems = new WeakMap<DesiredState, readonly string[]>()

function inManifests({ objects, hooks }: DesiredState): readonly string[] {
  return [...objects.values(), ...hooks].flatMap(({ object, id }) => {
    if (object.metadata.annotations === undefined) return []
    const found = [...unknownOptions(optionsOf(object)), ...roleProblems(object), ...aggregateProblems(object)]
    const { name, generateName } = object.metadata
    const called = name || (typeof generateName === 'string' ? generateName : '')
    return found.map((problem) => `${id.kind} ${called}: ${problem}`)
  })
}
