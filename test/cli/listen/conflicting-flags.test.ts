import { rejectConflictingFlags, rejectFieldWithCommand } from '../../../src/cli/listen/conflicting-flags.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/conflicting-flags')

const SECRET = 'print-secret'
const BODY = 'show-body'

for (const [flags, hasTargets] of [
  [{}, false],
  [{ headers: [], 'skip-verify': false }, false],
  [{ headers: ['a: b'], 'skip-verify': true, 'fail-on-error': true }, true],
  [{ [SECRET]: true, json: true, 'api-key': 'x', output: 'json', field: ['secret'] }, false],
  [{ [BODY]: true }, false],
  [{ [BODY]: true, output: 'compact' }, false],
  [{ [BODY]: true, output: 'json' }, false],
  [{ field: ['id'], output: 'json' }, false],
] as const) {
  test(`accepts the flags ${JSON.stringify(flags)} ${hasTargets ? 'with' : 'without'} a target`, () =>
    rejectConflictingFlags(flags, hasTargets))
}

for (const [flags, message] of [
  [{ headers: ['a: b'] }, /^--headers requires a target/],
  [{ 'skip-verify': true }, /^--skip-verify requires a target/],
  [{ 'fail-on-error': true }, /^--fail-on-error requires a target/],
  [{ [SECRET]: true, 'exit-after': 1 }, /^--exit-after has no effect with --print-secret/],
  [{ [SECRET]: true, 'forward-to': ['3000'] }, /^--forward-to has no effect with --print-secret/],
  [{ [BODY]: true, output: 'quiet' }, /^--show-body has no effect with --output: quiet/],
  [{ [BODY]: true, output: 'tui' }, /^--show-body has no effect with --output: the screen/],
  [{ [BODY]: true, field: ['id'] }, /^--show-body has no effect with --field/],
  [{ field: ['id'], output: 'quiet' }, /^--output has no effect with --field/],
  [{ field: ['id'], output: 'compact' }, /^--output has no effect with --field/],
] as const) {
  test(`throws a usage error for the flags ${JSON.stringify(flags)} without a target`, () => {
    const error = usageErrorFrom(() => rejectConflictingFlags(flags, false))
    assert.match(error.message, message)
    assert.match(error.hint ?? '', /--/)
  })
}

test('throws for --field with a command to run, and accepts either alone', () => {
  assert.throws(() => rejectFieldWithCommand({ field: ['bob.id'] }, ['true']), /^--field has no effect/)
  rejectFieldWithCommand({ field: ['bob.id'] }, [])
  rejectFieldWithCommand({}, ['true'])
})

test.run()
