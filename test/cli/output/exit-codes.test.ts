import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT_CODES } from '../../../src/cli/output/exit-codes.ts'
import { INTERRUPT_EXIT_CODE, TERMINATION_EXIT_CODE } from '../../../src/cli/serve/interrupts.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/exit-codes')

test('the configuration guide lists exactly the existing exit codes', () => {
  const guide = readFileSync(join(ROOT, '.github', 'guides', 'configuration.md'), 'utf8')
  const table = guide.slice(guide.indexOf('## Exit codes'))
  const codes = [...table.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
  assert.equal(codes, [...Object.values(EXIT_CODES), INTERRUPT_EXIT_CODE, TERMINATION_EXIT_CODE])
})

test.run()
