import { numberInRange, requireText } from './checks.ts'
import type { FieldError } from './field-error.ts'
import { invalid, required } from './field-error.ts'
import type { Json } from './json.ts'
import { numberAt, objectAt, textAt } from './json.ts'
import { byteLength } from './names.ts'
import type { SourceRules } from './volume-sources.ts'

const formats: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.[A-Za-z0-9\-.]+:[^,;*&$|\s]+$/u,
  eui: /^eui.[A-Za-z0-9]{16}$/u,
  naa: /^naa.[A-Za-z0-9]{32}$/u,
}
const tooLongTogether =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'

/** A qualified name of iSCSI. */
function qualified(value: string, field: string, unknownPrefix: string): FieldError[] {
  const format = formats[value.slice(0, 3)]
  if (!format) return [invalid(field, value, unknownPrefix)]
  return format.test(value) ? [] : [invalid(field, value, 'must be valid format')]
}

/** Rules of an iSCSI disk; those of a pod's volume word some of them otherwise (`validateISCSIVolumeSource`). */
export const iscsi: SourceRules = (o, at, { persistent, name }) => {
  const target = textAt(o, 'targetPortal')
  const initiator = o['initiatorName']
  const iqn = textAt(o, 'iqn')
  const prefixText = persistent ? 'must be valid format' : 'must be valid format starting with iqn, eui, or naa'
  const errors = requireText(o, 'targetPortal', at)
  if (persistent && typeof initiator === 'string' && byteLength(`${name}:${target}`) > 64)
    errors.push(invalid(`${at}.targetportal`, target, tooLongTogether))
  errors.push(...(iqn === '' ? [required(`${at}.iqn`)] : qualified(iqn, `${at}.iqn`, prefixText)))
  errors.push(...numberInRange(numberAt(o, 'lun') ?? 0, 0, 255, `${at}.lun`), ...secretErrors(o, at, persistent))
  if (typeof initiator !== 'string') return errors
  return [...errors, ...qualified(initiator, `${at}.initiatorname`, prefixText)]
}

function secretErrors(o: Json, at: string, persistent: boolean): FieldError[] {
  const secret = objectAt(o, 'secretRef')
  const wanted = o['chapAuthDiscovery'] === true || o['chapAuthSession'] === true
  if (!secret) return wanted ? [required(`${at}.secretRef`)] : []
  return persistent ? requireText(secret, 'name', `${at}.secretRef`) : []
}

/** What the name of a pod's volume must leave room for; judged even where another source came first. */
export function iscsiNameErrors(volume: Json, at: string): FieldError[] {
  const source = objectAt(volume, 'iscsi')
  const name = textAt(volume, 'name')
  if (!source || typeof source['initiatorName'] !== 'string') return []
  return byteLength(`${name}:${textAt(source, 'targetPortal')}`) > 64
    ? [invalid(`${at}.name`, name, tooLongTogether)]
    : []
}
