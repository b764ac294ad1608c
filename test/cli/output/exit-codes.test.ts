import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT_CODES } from '../../../src/cli/output/exit-codes.ts'
import { EXIT_AFTER_INTERRUPT, EXIT_AFTER_TERMINATION } from '../../../src/cli/serve/interrupts.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/exit-codes')

test('the README tells every exit code there is, and no other', () => {
  const [, told = ''] = /Exit codes: ([\s\S]*?)\n\n/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? []
  const codes = [...told.matchAll(/\b\d+\b/g)].map(([code]) => Number(code))
  assert.equal(codes, [...Object.values(EXIT_CODES), EXIT_AFTER_INTERRUPT, EXIT_AFTER_TERMINATION])
})

test.run()
