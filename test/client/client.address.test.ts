import { customers } from '../../src/api/operations/customers.ts'
import { createClient } from '../../src/client/client.ts'
import { assert, suite } from '../support/suite.ts'
import { ADA, runAgainst } from './client-fixtures.ts'

const test = suite('client/address and key')

test('names the variable and the command that set a missing address', () => {
  const errorOf = (apiBase?: string) => {
    try {
      createClient({ apiBase } as { apiBase: string })
      return ''
    } catch (error) {
      return String(error)
    }
  }
  const fix = 'Set PAYCLI_API_BASE, or run npx paycli exec -- npm test.'
  assert.is(errorOf(), `TypeError: apiBase is missing. ${fix}`)
  assert.is(errorOf(''), `TypeError: apiBase is missing. ${fix}`)
  const problem = "apiBase '127.0.0.1:4100' is not an HTTP or HTTPS URL."
  assert.is(errorOf('127.0.0.1:4100'), `TypeError: ${problem} ${fix}`)
  assert.match(errorOf('http://'), 'is not an HTTP or HTTPS URL')
  const twice = "apiBase 'http://127.0.0.1:4100/v1/' ends with /v1, which every request adds. Omit /v1."
  assert.is(errorOf('http://127.0.0.1:4100/v1/'), `TypeError: ${twice}`)
  assert.is(errorOf('http://127.0.0.1:4100'), '')
  assert.is(errorOf('HTTP://127.0.0.1:4100'), '')
})

test('names the import of an operation when a program passes something else', async () => {
  const client = createClient({ apiBase: 'http://127.0.0.1:9' })
  for (const operation of ['customers.create', undefined] as unknown[]) {
    const error = await client.call(operation as never, {} as never).catch(String)
    assert.match(
      error,
      "TypeError: The operation is missing. Import it, such as import { customers } from 'paycli'",
    )
  }
})

test('sends no header for an empty API key', async () => {
  const { seen } = await runAgainst(
    () => ({ body: ADA }),
    ({ url }) => createClient({ apiBase: url, apiKey: '' }).call(customers.retrieve, { id: 'cus_1' }),
  )
  assert.is(seen[0]?.headers['authorization'], undefined)
})

test.run()
