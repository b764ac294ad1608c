import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { refuseIdleField, refuseIdleFlags } from '../../../src/cli/listen/conflicting-flags.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/idle-flags')

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
  test(`${JSON.stringify(flags)} ${hasTargets ? 'with' : 'without'} a target all do something`, () =>
    refuseIdleFlags(flags, hasTargets))
}

for (const [flags, says] of [
  [{ headers: ['a: b'] }, /^--headers is for what is forwarded/],
  [{ 'skip-verify': true }, /^--skip-verify is for what is forwarded/],
  [{ 'fail-on-error': true }, /^--fail-on-error is for what is forwarded/],
  [{ [SECRET]: true, 'exit-after': 1 }, /^--exit-after does nothing beside --print-secret/],
  [{ [SECRET]: true, 'forward-to': ['3000'] }, /^--forward-to does nothing beside --print-secret/],
  [{ [BODY]: true, output: 'quiet' }, /^--show-body does nothing beside --output: quiet/],
  [{ [BODY]: true, output: 'tui' }, /^--show-body does nothing beside --output: the screen/],
  [{ [BODY]: true, field: ['id'] }, /^--show-body does nothing beside --field/],
  [{ field: ['id'], output: 'quiet' }, /^--output does nothing beside --field/],
  [{ field: ['id'], output: 'compact' }, /^--output does nothing beside --field/],
] as const) {
  test(`${JSON.stringify(flags)} without a target is refused`, () => {
    try {
      refuseIdleFlags(flags, false)
    } catch (error) {
      assert.instance(error, UsageError)
      assert.match((error as UsageError).message, says)
      assert.match((error as UsageError).hint ?? '', /--/)
      return
    }
    assert.unreachable('it was taken')
  })
}

test('--field is refused beside a command, which alone prints', () => {
  assert.throws(() => refuseIdleField({ field: ['bob.id'] }, ['true']), /^--field does nothing here/)
  refuseIdleField({ field: ['bob.id'] }, [])
  refuseIdleField({}, ['true'])
})

test.run()
