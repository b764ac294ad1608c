import { operations } from '../../../src/api/api.ts'
import { createOpenApiDocument } from '../../../src/api/openapi/openapi.ts'
import { findResourceByObjectName, findResourceOfId, RESOURCES } from '../../../src/api/resources/catalog.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/resources/catalog')

const { schemas } = createOpenApiDocument({ apiUrl: 'http://127.0.0.1:4100', version: '0.0.0' }).components

for (const { name, object, idPrefix, columns, identity, path } of RESOURCES) {
  test(`finds the resource ${name} by id and by object name`, () => {
    assert.is(findResourceOfId(`${idPrefix}4bT9`)?.name, name)
    assert.is(findResourceByObjectName(object)?.name, name)
  })

  test(`the table columns and identifying fields of ${name} are fields of its schema`, () => {
    const fields = Object.keys(Object(schemas[object]?.['properties']))
    const names = [...columns, ...identity]
      .flatMap((paths) => paths.split('|'))
      .map((field) => field.split('.')[0] ?? '')
    assert.equal(
      names.filter((field) => !fields.includes(field)),
      [],
    )
  })

  test(`the API has an operation that retrieves an object of ${name} at the path of the resource`, () => {
    const paths = operations.map(({ operation }) => `${operation.method} ${operation.path}`)
    assert.ok(paths.includes(`GET /v1/${path}/:id`))
  })
}

test('finds no resource for an unknown id prefix', () => {
  assert.is(findResourceOfId('nope_4bT9'), undefined)
  assert.is(findResourceByObjectName('nope'), undefined)
})

test.run()
