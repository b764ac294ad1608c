import { createSchemaRegistry } from '../../../src/api/schema/json-schema.ts'
import { currencyCode, nullable } from '../../../src/domain/core/schema.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/schema/json-schema')

test('the schema of a nullable currency is anyOf the currency and null', () => {
  const { toJsonSchema } = createSchemaRegistry()
  const reference = { $ref: '#/components/schemas/currency' }
  const description = 'The currency.'
  assert.equal(toJsonSchema(currencyCode(description)), { ...reference, description })
  const either = { anyOf: [reference, { type: 'null' }], description }
  assert.equal(toJsonSchema(nullable(currencyCode(description))), either)
})

test.run()
