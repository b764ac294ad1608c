import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'
import { COMPILER_ROWS, LISTED_ROWS, NEW_FILES, type Row, TEST_ROWS } from './vouchers.ts'

const test = suite('repository/add-a-resource', undefined, 200_000)

/** The built files of the pages do not depend on resources. */
const COPIED = ['.github', 'bin', 'commands', 'dist/pages', 'src', 'test', 'package.json', 'tsconfig.json']
/** Tests that compare tables, commands, guides and the reference with the resources of the API. */
const COMPLETENESS_TESTS = [
  'api/openapi/openapi',
  'api/resources/catalog',
  'property/invariants',
  'scenarios/isolation/sandbox-scopes',
  'scenarios/restart',
]

const copy = newFolder()

/** Runs a program with Node in the copy. */
function run(...args: string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

/** Compiles the program and the dashboard of the copy, and returns the files with errors except for tests. */
function filesWithErrors(...options: readonly string[]): string[] {
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const { output } = run(compiler, '-p', '.', '--pretty', 'false', ...options)
  const dashboard = run(compiler, '-p', join('src', 'dashboard'), '--pretty', 'false').output
  const errors = (output + dashboard).matchAll(/^(\S+)\(\d+,\d+\): error/gm)
  return sortedUnique([...errors].map(([, file = '']) => file).filter((file) => !file.endsWith('.test.ts')))
}

function sortedUnique(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}

function insert([file, before, text]: Row): void {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  assert.ok(source.includes(before), `${file} contains ${before}`)
  writeFileSync(
    path,
    source.replace(before, () => text + before),
  )
}

test.before(() => {
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  for (const [path, text] of Object.entries(NEW_FILES)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), text)
  }
})

test('ARCHITECTURE.md names each file to edit for a new resource', () => {
  const document = readFileSync(join(ROOT, '.github', 'ARCHITECTURE.md'), 'utf8')
  const [, list = ''] = /\n## Add a resource\n(.*?)\n## /s.exec(document) ?? []
  const [eventType = ''] = /^\| an event type \|.*$/m.exec(document) ?? []
  const files = sortedUnique([...LISTED_ROWS, ...COMPILER_ROWS, ...TEST_ROWS].map(([file]) => file))
  assert.equal(
    files.filter((file) => !(list + eventType).includes(`\`${file}\``)),
    [],
  )
})

test('the compiler reports each missing table row that ARCHITECTURE.md does not name', () => {
  LISTED_ROWS.forEach(insert)
  assert.equal(filesWithErrors('--noEmit'), sortedUnique(COMPILER_ROWS.map(([file]) => file)))
})

test('a resource that was added by following ARCHITECTURE.md compiles and appears in all tables and documents', () => {
  for (const row of [...COMPILER_ROWS, ...TEST_ROWS]) insert(row)
  assert.equal(filesWithErrors(), [])
  const { status, output } = run(join('test', 'run.mjs'), ...COMPLETENESS_TESTS)
  assert.is(status, 0, output)
})

test.run()
