import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { formatEnvLines } from '../../../src/cli/serve/env-file.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/serve/env-file')

const HARD = ['', ' ', '$HOME', `\${HOME}`, '$(touch x)', 'a #b', '\\n', 'https://x.test/?a=b&c=d#e']
const text = fc.string({ unit: fc.constantFrom(...'ab \'"$`\\!#=;&|<>(){}~*?é😀') })

/** The variables of an .env file as a program reads them, by `source` of a shell or by `node --env-file`. */
function readBack(variables: Readonly<Record<string, string>>): Record<'shell' | 'node', unknown> {
  const file = join(newFolder(), '.env')
  writeFileSync(file, formatEnvLines(variables))
  const names = JSON.stringify(Object.keys(variables))
  const print = `console.log(JSON.stringify(Object.fromEntries(${names}.map((name) => [name, process.env[name]]))))`
  const read = (program: string, args: readonly string[]) =>
    JSON.parse(spawnSync(program, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } }).stdout)
  return {
    shell: read('/bin/sh', ['-c', 'set -a; . "$1"; exec "$2" -e "$3"', 'sh', file, process.execPath, print]),
    node: read(process.execPath, [`--env-file=${file}`, '-e', print]),
  }
}

function isWritable(value: string): boolean {
  try {
    return formatEnvLines({ A: value }) !== ''
  } catch {
    return false
  }
}

test('shells and node --env-file read the values that writeEnvFile() wrote', () => {
  const values = [...HARD, ...fc.sample(text, { numRuns: 500, seed: 1 }).filter(isWritable)]
  const variables = Object.fromEntries(values.map((value, index) => [`V${index}`, value]))
  assert.equal(readBack(variables), { shell: variables, node: variables })
})

test('rejects a value that shells and node --env-file cannot both read unchanged', () => {
  for (const value of ['a\nB=c', 'a\rb', 'a\0b', '\u001b[31m', `it's $5`, `'"`, "'\\", 'a\ud800', "'`a`"]) {
    assert.throws(
      () => formatEnvLines({ A: value }),
      /value of the variable 'A' cannot be written/,
      JSON.stringify(value),
    )
  }
})

test.run()
