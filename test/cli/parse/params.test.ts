import { operations } from '../../../src/api/index.ts'
import { customers } from '../../../src/api/operations/customers.ts'
import { events } from '../../../src/api/operations/events.ts'
import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import type { ObjectSchema, Schema } from '../../../src/api/schema/schema.ts'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { flagsOf } from '../../../src/cli/parse/flags.ts'
import { BOUNDS, flaggedParams, flagName, kindOf } from '../../../src/cli/parse/param-kinds.ts'
import { type FlagValues, paramsFromFlags, requireParams } from '../../../src/cli/parse/params.ts'
import { assert, suite } from '../../support/suite.ts'

/** Parameters that are objects of their own and so have flags written by hand. */
const NESTED: Readonly<Record<string, readonly string[]>> = {
  'checkoutSessions.create': ['subscription_data'],
  'checkoutSessions.complete': ['card'],
  'paymentSessions.complete': ['card'],
  'testClocks.advance': ['by'],
}

/** What a parameter's flags may say, and what comes of it. */
function sample(name: string, schema: Schema<unknown>): readonly [flags: FlagValues, value: unknown] {
  const flag = flagName(name)
  switch (kindOf(name, schema)) {
    case 'boolean':
      return [{ [flag]: false }, false]
    case 'integer':
      return [{ [flag]: '12' }, 12]
    case 'moment':
      return [{ [flag]: '2024-01-01' }, 1704067200]
    case 'metadata':
      return [{ [flag]: ['a=1', 'b=x=y', 'c='] }, { a: '1', b: 'x=y', c: '' }]
    case 'list':
      return [{ [flag]: ['a', 'b'] }, ['a', 'b']]
    case 'range':
      return [
        Object.fromEntries(BOUNDS.map((bound, index) => [`${flag}-${bound}`, String(index)])),
        Object.fromEntries(BOUNDS.map((bound, index) => [bound, index])),
      ]
    case 'text':
      return [{ [flag]: 'Ada' }, 'Ada']
  }
}

const tripping = suite('flags of every operation')

for (const { name, operation } of operations) {
  tripping(`${name} can be said in flags`, () => {
    const schema: ObjectSchema<unknown> = operation.params
    const omit = NESTED[name] ?? []
    const samples = flaggedParams(schema, omit).map(
      ([param, inner]) => [param, ...sample(param, inner)] as const,
    )
    const flags = Object.assign({}, ...samples.map(([, given]) => given))
    const expected = Object.fromEntries(samples.map(([param, , value]) => [param, value]))
    assert.equal(paramsFromFlags(schema, flags, omit), expected)
    const declared = flagsOf(schema, { omit })
    const all = 'starting_after' in schema.properties ? ['all'] : []
    assert.equal(
      Object.keys(declared).sort(),
      [...Object.keys(flags), ...all].sort(),
      'what is read is declared',
    )
    for (const [flag, { description }] of Object.entries(declared)) {
      assert.match(description ?? '', /\w.*\.$/, `--${flag} is explained in a sentence`)
    }
    assert.equal(paramsFromFlags(schema, {}, omit), {}, 'no flag, no parameter')
  })
}

tripping.run()

const special = suite('what flags can say')

special('empty text unsets what can be unset, and nothing else', () => {
  const { params } = customers.update
  assert.equal(paramsFromFlags(params, { name: '', phone: 'x' }), { name: null, phone: 'x' })
  assert.equal(paramsFromFlags(params, { email: '' }), { email: '' })
  assert.equal(paramsFromFlags(params, { metadata: [''] }), { metadata: '' })
  assert.equal(paramsFromFlags(params, { metadata: ['a='] }), { metadata: { a: '' } })
})

special('required parameters are marked, and missed by the name of their flag', () => {
  const flags = flagsOf(customers.create.params)
  assert.match(flags['email']?.description ?? '', /^\(required\)/)
  assert.not.match(flags['name']?.description ?? '', /required/)
  const { params } = webhookEndpoints.create
  requireParams(params, { url: 'http://x' })
  assert.throws(() => requireParams(params, {}), /Missing flag: --url\./)
})

const WRONG: readonly (readonly [flags: FlagValues, message: RegExp])[] = [
  [{ limit: 'many' }, /^--limit takes a whole number, not 'many'\.$/],
  [{ limit: '1.5' }, /^--limit/],
  [{ limit: '' }, /^--limit/],
  [{ limit: '99999999999999999999' }, /^--limit/],
  [{ 'created-gte': 'yesterday' }, /^--created-gte takes a moment/],
  [{ 'sequence-gt': '2024-01-01' }, /^--sequence-gt takes a whole number/],
]

for (const [flags, message] of WRONG) {
  special(`${JSON.stringify(flags)} is refused`, () => {
    assert.throws(
      () => paramsFromFlags(events.list.params, flags),
      (error: Error) => error instanceof UsageError && message.test(error.message),
    )
  })
}

for (const pair of ['order', '=1042', '']) {
  special(`metadata '${pair}' is refused`, () => {
    assert.throws(
      () => paramsFromFlags(customers.create.params, { metadata: [pair] }),
      /--metadata takes key=value/,
    )
  })
}

special('a key that means something to JavaScript is only a key', () => {
  const { metadata } = paramsFromFlags(customers.create.params, { metadata: ['__proto__=x'] })
  assert.equal(Object.entries(metadata ?? {}), [['__proto__', 'x']])
})

special.run()
