import { string as oclifWord } from '@oclif/core/args'
import { boolean as oclifBoolean, integer as oclifInteger, string as oclifString } from '@oclif/core/flags'
import { boolean, integer, repeatable, string, textArg } from '../../../src/cli/parse/flag-builders.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/options')

const OPTIONS = { description: 'What it is.', char: 'f', helpValue: '<it>' } as const

/** Returns a definition without its functions. */
function dataOf(definition: object): unknown {
  return JSON.parse(JSON.stringify(definition))
}

test('creates the same flag and argument definitions as oclif', () => {
  for (const [own, oclif] of [
    [string(OPTIONS), oclifString(OPTIONS)],
    [repeatable(OPTIONS), oclifString({ ...OPTIONS, multiple: true, multipleNonGreedy: true })],
    [integer({ ...OPTIONS, min: 1, max: 3 }), oclifInteger({ ...OPTIONS, min: 1, max: 3 })],
    [boolean({ ...OPTIONS, allowNo: true }), oclifBoolean({ ...OPTIONS, allowNo: true })],
    [boolean(), oclifBoolean()],
    [textArg({ required: true }), oclifWord({ required: true, ignoreStdin: true })],
  ] as const) {
    assert.equal(dataOf(own), dataOf(oclif))
    assert.equal(Object.keys(own).sort(), Object.keys(oclif).sort())
  }
})

test('accepts integers within the bounds and rejects other values', async () => {
  const port = integer({ min: 0, max: 9 })
  const read = (text: string) => port.parse(text, {} as never, { ...port, name: 'port' } as never)
  assert.is(await read('9'), 9)
  for (const text of ['10', '-1', '1.5', 'x', '']) {
    const message = await read(text).catch(({ message }) => message)
    assert.is(message, `Invalid --port '${text}': expected an integer from 0 to 9.`)
  }
  for (const [bounds, text, expected] of [
    [{ min: 1 }, '0', 'of at least 1'],
    [{ max: 9 }, '10', 'of at most 9'],
  ] as const) {
    const flag = integer(bounds)
    const message = await flag.parse(text, {} as never, { ...flag, name: 'n' } as never).catch(String)
    assert.match(String(message), `Invalid --n '${text}': expected an integer ${expected}.`)
  }
})

test.run()
