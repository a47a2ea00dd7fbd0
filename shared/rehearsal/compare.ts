import { canonicalJson } from '../model/json.ts'
import type { Rehearsal, RehearsalComparison, RehearsedEffect, RehearsedStep } from '../model/rehearsal.ts'

/** What two rehearsals of one application do not have in common: of two revisions, or of today and yesterday. */
export function compareRehearsals(one: Rehearsal, other: Rehearsal): RehearsalComparison {
  const left = new Map(one.steps.map((step) => [step.key, step]))
  const right = new Map(other.steps.map((step) => [step.key, step]))
  const keys = [...new Set([...left.keys(), ...right.keys()])]
  return {
    steps: keys.flatMap((key): RehearsalComparison['steps'] => {
      const [mine, theirs] = [left.get(key), right.get(key)]
      const step = mine ?? theirs
      if (step === undefined || sameStep(mine, theirs)) return []
      return [
        {
          key,
          id: step.id,
          ...(mine === undefined ? {} : { one: mine }),
          ...(theirs === undefined ? {} : { other: theirs }),
        },
      ]
    }),
    effects: { one: without(one.effects, other.effects), other: without(other.effects, one.effects) },
    passed: { one: one.passed, other: other.passed },
    end: { one: one.end, other: other.end },
  }
}

/** The same came of the same change; when it did is another question. */
function sameStep(one: RehearsedStep | undefined, other: RehearsedStep | undefined): boolean {
  if (one === undefined || other === undefined) return false
  return stepText(one) === stepText(other)
}

function stepText({ result, fields, stage }: RehearsedStep): string {
  return canonicalJson([result, stage, fields.map(({ path, desired }) => [path, desired])])
}

function without(effects: readonly RehearsedEffect[], others: readonly RehearsedEffect[]): readonly RehearsedEffect[] {
  const said = new Set(others.map(textOf))
  return effects.filter((effect) => !said.has(textOf(effect)))
}

/** A moment earlier or later is no difference. */
function textOf(effect: RehearsedEffect): string {
  if (effect.kind !== 'downtime') return canonicalJson(effect)
  const { fromMs, toMs, ...rest } = effect
  const lasted = toMs === undefined ? 'stays' : Math.round((toMs - fromMs) / 1000)
  return canonicalJson({ ...rest, lasted })
}
