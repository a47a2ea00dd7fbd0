import assert from 'node:assert/strict'
import test from 'node:test'
import type { Command } from 'commander'
import { buildProgram } from '../../../cli/program.ts'
import type { Io } from '../../../cli/io.ts'

const nowhere = { write: () => true }
const io: Io = {
  stdout: nowhere,
  stderr: nowhere,
  stdin: process.stdin,
  env: {},
  cwd: '/',
  signal: new AbortController().signal,
}

test('every command about clusters, contexts and the agent says what it does, with an example', () => {
  const program = buildProgram(io, () => undefined)
  for (const name of ['cluster', 'context', 'agent']) {
    const group = named(program, name)
    assert.ok(group.commands.length > 3, name)
    for (const command of group.commands) {
      const path = `${name} ${command.name()}`
      assert.notEqual(command.summary(), '', path)
      let help = ''
      command.configureOutput({ writeOut: (text) => void (help += text) })
      command.outputHelp()
      assert.match(help, new RegExp(`Examples:\\n +[^\\n]*plumbline ${path}`), path)
    }
  }
})

function named(program: Command, name: string): Command {
  const found = program.commands.find((command) => command.name() === name)
  assert.ok(found !== undefined, `there is a command ${name}`)
  return found
}
