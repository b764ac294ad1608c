import { parse } from '@oclif/core/parser'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { DryRunError } from '../../src/cli/errors/dry-run.ts'
import { ConnectionError } from '../../src/client/connection-error.ts'
import { isolatedEnv, serviceCommands } from '../support/every-command.ts'
import { allExamples, type Example } from '../support/examples.ts'
import { assert, suite } from '../support/suite.ts'

const examples = await allExamples()

/** Commands that read a missing file, or keep retrying. */
const EXCEPTIONS = /^(fixtures:|wait$|status$)|:(listen|tail|wait)$/
const serviceCommandIds = new Set(serviceCommands.map(({ id }) => id).filter((id) => !EXCEPTIONS.test(id)))

/** Flags of examples that read a file, run a command, or print a list of the program. */
const LOCAL_FLAGS = ['--from-file', '--list', '--population', '--reconcile', '--test']

/** Returns whether an example only requires a running server. */
function isSelfContained({ command, argv }: Example): boolean {
  return serviceCommandIds.has(command.id) && !LOCAL_FLAGS.some((flag) => argv.includes(flag))
}

/** Returns the command that defines the flags of an example: `serve` for `exec` without `--sandbox`. */
function commandAndArguments({ command, argv }: Example): Pick<Example, 'command' | 'argv'> {
  const serve = examples.find((one) => one.command.id === 'serve')?.command
  if (command.id !== 'exec' || serve === undefined) return { command, argv }
  const own = argv.slice(0, argv.indexOf('--'))
  return { command: own.includes('--sandbox') ? command : serve, argv: own }
}

const test = suite('scenarios/every-example')

test.before(() => {
  Object.assign(process.env, isolatedEnv)
})

test('finds at least the expected number of examples in the commands', () => {
  assert.ok(examples.length > 200, `${examples.length} examples`)
  assert.ok(examples.filter(isSelfContained).length > 130, `${examples.filter(isSelfContained).length} ask`)
})

for (const example of examples) {
  test(`accepts the arguments and flags of the example: ${example.line}`, async () => {
    const { command, argv } = commandAndArguments(example)
    const { args, flags, baseFlags, strict = true } = command
    await parse([...argv], { args, flags: { ...baseFlags, ...flags }, strict })
  })
}

for (const { line, command, argv } of examples.filter(isSelfContained)) {
  test(`the example sends a request to the daemon: ${line}`, async () => {
    const at = ['--api-base', 'http://127.0.0.1:9', '--api-key', 'k']
    const words = argv.map((word) => word.replaceAll('…', ''))
    const made: unknown = Reflect.construct(Object(command), [[...words, ...at], { bin: 'paycli' }])
    assert.instance(made, BaseCommand)
    if (!(made instanceof BaseCommand)) return
    const error = await made.run().then(
      () => null,
      (thrown: unknown) => thrown,
    )
    const isSent = error instanceof ConnectionError || error instanceof DryRunError
    assert.ok(isSent, String(error))
  })
}

test.run()
