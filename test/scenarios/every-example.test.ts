import { parse } from '@oclif/core/parser'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { NotSent } from '../../src/cli/errors/dry-run.ts'
import { ConnectionError } from '../../src/client/connection-error.ts'
import { asking, nowhere } from '../support/every-command.ts'
import { allExamples, type Example } from '../support/examples.ts'
import { assert, suite } from '../support/suite.ts'

const examples = await allExamples()

/** What reads a file that is not there, or stays and tries again. */
const OTHERWISE = /^(fixtures:|wait$|status$)|:(listen|tail|wait)$/
const askers = new Set(asking.map(({ id }) => id).filter((id) => !OTHERWISE.test(id)))

/** Whether all it takes to carry an example out is a service. */
function isWhole({ command, argv }: Example): boolean {
  return askers.has(command.id) && !argv.includes('--from-file') && !argv.includes('--list')
}

/** Whose flags the words are: what stands before the dashes of exec are those of serve. */
function ownWords({ command, argv }: Example): Pick<Example, 'command' | 'argv'> {
  const serve = examples.find((one) => one.command.id === 'serve')?.command
  if (command.id !== 'exec' || serve === undefined) return { command, argv }
  return { command: serve, argv: argv.slice(0, argv.indexOf('--')) }
}

const test = suite('every example in the help')

test.before(() => {
  Object.assign(process.env, nowhere)
})

test('there are many, and most of them ask a service', () => {
  assert.ok(examples.length > 200, `${examples.length} examples`)
  assert.ok(examples.filter(isWhole).length > 130, `${examples.filter(isWhole).length} ask`)
})

for (const example of examples) {
  test(`${example.line} can be read`, async () => {
    const { command, argv } = ownWords(example)
    const { args, flags, baseFlags, strict = true } = command
    await parse([...argv], { args, flags: { ...baseFlags, ...flags }, strict })
  })
}

for (const { line, command, argv } of examples.filter(isWhole)) {
  test(`${line} gets as far as the service`, async () => {
    const at = ['--api-base', 'http://127.0.0.1:9', '--api-key', 'k']
    const words = argv.map((word) => word.replaceAll('…', ''))
    const made: unknown = Reflect.construct(Object(command), [[...words, ...at], { bin: 'paycli' }])
    assert.instance(made, BaseCommand)
    if (!(made instanceof BaseCommand)) return
    const error = await made.run().then(
      () => null,
      (thrown: unknown) => thrown,
    )
    const isSent = error instanceof ConnectionError || error instanceof NotSent
    assert.ok(isSent, String(error))
  })
}

test.run()
