import { InvalidArgumentError, Option } from 'commander'
import { stringifyJson, type Json } from '../shared/model/json.ts'
import { toYaml } from '../shared/view/yaml.ts'
import { paintFor, type Paint } from './format/colour.ts'
import type { TableOptions } from './format/table.ts'
import { print, type Io } from './io.ts'
import type { OutputFormat } from './session-flags.ts'

const FORMATS: readonly OutputFormat[] = ['table', 'wide', 'json', 'yaml', 'name']

/** `-o`, as kubectl has it. */
export function outputOption(): Option {
  return new Option('-o, --output <format>', 'table, wide, json, yaml or name').choices([...FORMATS]).default('table')
}

/** The same data in every form that a command can give. */
export type Forms = {
  readonly table: (options: TableOptions) => string
  readonly wide?: (options: TableOptions) => string
  readonly data: () => Json
  readonly names: () => readonly string[]
}

/** Writes data to stdout in the form asked for. */
export function show(io: Io, format: OutputFormat | undefined, forms: Forms): void {
  switch (format ?? 'table') {
    case 'json':
      return print(io, stringifyJson(forms.data(), 2))
    case 'yaml':
      return print(io, toYaml(forms.data()))
    case 'name':
      for (const name of forms.names()) print(io, name)
      return
    case 'wide':
      return void io.stdout.write((forms.wide ?? forms.table)({ paint: stdoutPaint(io) }))
    case 'table':
      return void io.stdout.write(forms.table(tableOptions(io)))
  }
}

/** Tables fit a terminal; on a pipe nothing is cut. */
export function tableOptions(io: Io): TableOptions {
  return { paint: stdoutPaint(io), ...(io.stdout.isTTY === true ? { width: io.stdout.columns ?? 80 } : {}) }
}

export function stdoutPaint(io: Io): Paint {
  return paintFor(io.stdout, io.env)
}

/** A number of seconds from a flag, as milliseconds. */
export function secondsArgument(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(s|m|h)?$/.exec(text)
  if (match === null) throw new InvalidArgumentError('a time is a number of seconds, or 90s, 5m, 1h')
  const unit = { s: 1000, m: 60_000, h: 3_600_000 }[match[2] ?? 's'] ?? 1000
  return Number(match[1]) * unit
}

/** A Go duration, as an Application writes it: `100ms`, `1m30s`. */
export function durationArgument(text: string): string {
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text))
    throw new InvalidArgumentError('a time is written 100ms, 5s or 1m30s')
  return text
}

/** For flags that take a count. */
export function wholeNumber(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError('a whole number is wanted')
  return Number(text)
}
