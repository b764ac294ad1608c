import { Ajv } from 'ajv'
import { operations } from '../../../src/api/api.ts'
import { FORMATS } from '../../../src/api/schema/formats.ts'
import { checkAgainstSchema, combineErrors } from '../../../src/api/schema/validate.ts'
import * as p from '../../../src/domain/core/params.ts'
import type { ObjectSchema } from '../../../src/domain/core/schema.ts'
import { nullable } from '../../../src/domain/core/schema.ts'
import { catchDomainError } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/validate')

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september'],
  ...['october', 'november', 'december', 'year'],
]

const SCHEMA = p.shape(
  { name: p.text(5, 'A name.') },
  {
    amount: p.amount(1, 'Money.'),
    colour: p.choice(['red', 'green'], 'A colour.'),
    month: p.choice(MONTHS, 'A month, or a longer time.'),
    tags: p.list(p.choice(['a', 'b'], 'A tag.'), 2, 'Tags.'),
    inner: p.shape({ id: p.id('An id.') }, { note: nullable(p.text(5, 'A note.')) }),
    created: p.range('When.'),
    metadata: p.metadata(),
  },
)

function validate(params: object, schema: ObjectSchema<unknown>): void {
  const { valid, errors } = checkAgainstSchema(params, schema)
  if (valid === null) throw combineErrors(errors, schema)
}

/** Columns: parameters, error code, param, message. */
const TABLE: readonly (readonly [params: object, code: string, param: string, message: string])[] = [
  [{}, 'parameter_missing', 'name', 'Missing required parameter: name.'],
  [{ name: 'x', inner: {} }, 'parameter_missing', 'inner[id]', 'Missing required parameter: inner[id].'],
  [{ name: 1 }, 'parameter_invalid_type', 'name', 'name must be a string, but the number 1 was given.'],
  [
    { name: true },
    'parameter_invalid_type',
    'name',
    'name must be a string, but the boolean true was given.',
  ],
  [{ name: null }, 'parameter_invalid_type', 'name', 'name must be a string, but null was given.'],
  [{ name: ['x'] }, 'parameter_invalid_type', 'name', 'name must be a string, but a list was given.'],
  [{ name: {} }, 'parameter_invalid_type', 'name', 'name must be a string, but an object was given.'],
  [{ name: '' }, 'parameter_invalid_string', 'name', 'name must not be empty; omit it instead.'],
  [{ name: 'xxxxxx' }, 'parameter_invalid_string', 'name', 'name has 6 characters; the maximum is 5.'],
  [
    { name: '\u0007' },
    'parameter_invalid_string',
    'name',
    'name has control characters; only tab and newline are allowed.',
  ],
  [
    { name: 'x', amount: 0 },
    'amount_too_small',
    'amount',
    'amount must be from 1 to 999999999999, but 0 was given.',
  ],
  [
    { name: 'x', amount: '5' },
    'parameter_invalid_integer',
    'amount',
    "amount must be an integer, but the string '5' was given.",
  ],
  [
    { name: 'x', colour: 'blue' },
    'parameter_invalid_enum',
    'colour',
    "colour 'blue' is not one of: red, green.",
  ],
  [
    { name: 'x', month: 'febuary' },
    'parameter_invalid_enum',
    'month',
    "month 'febuary' is none of the 13 accepted values. Did you mean february?",
  ],
  [{ name: 'x', tags: [] }, 'parameter_invalid_array', 'tags', 'tags must have 1 to 2 entries, but has 0.'],
  [
    { name: 'x', tags: ['a', 'b', 'a'] },
    'parameter_invalid_array',
    'tags',
    'tags must have 1 to 2 entries, but has 3.',
  ],
  [{ name: 'x', tags: ['a', 'c'] }, 'parameter_invalid_enum', 'tags[1]', "tags[1] 'c' is not one of: a, b."],
  [
    { name: 'x', tags: [5] },
    'parameter_invalid_type',
    'tags[0]',
    'tags[0] must be a string, but the number 5 was given.',
  ],
  [
    { name: 'x', inner: { id: 'x', note: 5 } },
    'parameter_invalid_type',
    'inner[note]',
    'inner[note] must be a string or null, but the number 5 was given.',
  ],
  [
    { name: 'x', inner: 5 },
    'parameter_invalid_type',
    'inner',
    'inner must be an object, but the number 5 was given.',
  ],
  [
    { name: 'x', created: 'soon' },
    'parameter_invalid_integer',
    'created',
    "created must be an integer, or bounds such as created[gte], but the string 'soon' was given.",
  ],
  [
    { name: 'x', color: 'red' },
    'parameter_unknown',
    'color',
    'Unknown parameter: color. Did you mean colour?',
  ],
  [
    { name: 'x', quantity: 5 },
    'parameter_unknown',
    'quantity',
    'Unknown parameter: quantity. Known parameters: name, amount, colour, month, tags, inner, created, metadata.',
  ],
  [
    { name: 'x', 'a/b~c': 5 },
    'parameter_unknown',
    'a/b~c',
    'Unknown parameter: a/b~c. Known parameters: name, amount, colour, month, tags, inner, created, metadata.',
  ],
  [
    { name: 'x', metadata: { 'a[b]': 'c' } },
    'metadata_invalid',
    'metadata',
    "metadata must be an object of string values: at most 50 keys of 1 to 40 characters without brackets, values of at most 500 characters, but the entry 'a[b]' is invalid.",
  ],
]

for (const [params, code, param, message] of TABLE) {
  test(`rejects ${JSON.stringify(params)} with: ${message.slice(0, 60)}`, async () => {
    const refused = await catchDomainError(() => validate(params, SCHEMA as never))
    assert.equal([refused.code, refused.param, refused.message], [code, param, message])
    assert.equal(refused.errors, [{ code, param, message }])
  })
}

test('accepts valid parameters and counts code points as characters', () => {
  validate(
    {
      name: '💶💶💶💶💶',
      amount: 999_999_999_999,
      tags: ['a', 'a'],
      inner: { id: 'x', note: null },
      created: { gte: 1 },
      metadata: { a: 'b'.repeat(500) },
    },
    SCHEMA as never,
  )
})

test('the error message for an enum lists null among its values', async () => {
  const reason = { type: ['string', 'null'], enum: ['late', null] }
  const { message } = await catchDomainError(() =>
    validate({ reason: 'x' }, p.shape({}, { reason }) as never),
  )
  assert.is(message, "reason 'x' is not one of: late, null.")
})

test('truncates a long value in an error message', async () => {
  const { message } = await catchDomainError(() =>
    validate({ name: 'x', colour: 'y'.repeat(500) }, SCHEMA as never),
  )
  assert.is(message, `colour '${'y'.repeat(79)}… is not one of: red, green.`)
})

/** Returns the keywords of a schema at any depth. */
function keywordsIn(value: unknown): (readonly [keyword: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'errorCodes' ? [] : [[key, inner] as const, ...keywordsIn(inner)],
  )
}

test('parameter schemas are valid JSON Schemas, which the server does not check', () => {
  const ajv = new Ajv({ strict: false })
  for (const { operation, wireName } of operations) {
    assert.is(ajv.validateSchema(operation.params), true, `${wireName}: ${ajv.errorsText()}`)
  }
})

test('parameter schemas use only linear checks: no format of ajv, no pattern, no $data', () => {
  const used = operations.flatMap(({ operation }) => keywordsIn(operation.params))
  const formats = used.filter(([keyword]) => keyword === 'format').map(([, name]) => String(name))
  assert.ok(formats.length > 20)
  // The schema of `range` validates its properties, so `range` has no format function.
  for (const name of formats) assert.ok(name === 'range' || Object.hasOwn(FORMATS, name), name)
  const risky = used.filter(
    ([keyword, value]) => keyword === '$data' || (keyword === 'pattern' && typeof value === 'string'),
  )
  assert.equal(risky, [])
})

test.run()
