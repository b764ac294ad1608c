import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RESOURCES } from '../../../src/api/resources/catalog.ts'
import { createErrorReport } from '../../../src/cli/output/error-report.ts'
import { exitCodeOf } from '../../../src/cli/output/exit-codes.ts'
import { createApiError } from '../../support/api-errors.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'))

const test = suite('cli/error-hints')

test('names the flags of the parameters in validation errors', () => {
  const errors = ['subscription_data[start_date]', 'subscription_data[items][0][type]', 'return_url'].map(
    (param) => ({ code: 'parameter_invalid', message: `${param} is invalid.`, param }),
  )
  const [{ param, message }] = errors as [(typeof errors)[0]]
  const error = createApiError(400, 'invalid_request_error', { param, message, errors })
  const flags = ['start-date', 'item', 'field']
  const report = createErrorReport(error, { command: 'paycli checkout create', flags })
  assert.equal([report.message, report.hint], [message, 'Check --start-date, --item.'])
  assert.is(createErrorReport(error, { command: 'paycli x', flags, paramFlags: [] }).hint, null)
})

test('does not name a flag of every command as the flag of a parameter', () => {
  const error = createApiError(400, 'invalid_request_error', { param: 'profile' })
  assert.is(createErrorReport(error, { command: 'paycli x', flags: ['profile'] }).hint, null)
})

for (const { object, idPrefix } of RESOURCES) {
  test(`names an existing command that lists ${object} objects when one is missing`, () => {
    const message = `No such ${object}: '${idPrefix}nope'.`
    for (const param of ['id', object]) {
      const error = createApiError(404, 'invalid_request_error', { code: 'resource_missing', message, param })
      const { hint } = createErrorReport(error, { command: `paycli get ${idPrefix}4bT9` })
      const [, command = ''] = /^List them: paycli ([a-z -]+?)(?: <customer>)?$/.exec(hint ?? '') ?? []
      assert.ok(command.replaceAll(' ', ':') in commands, String(hint))
    }
  })
}

test('lists the missing resource, even if the given id is one of another resource', () => {
  const message = "No such customer: 'py_nope'."
  const error = createApiError(404, 'invalid_request_error', {
    code: 'resource_missing',
    message,
    param: 'id',
  })
  const { hint } = createErrorReport(error, { command: 'paycli customers retrieve py_nope' })
  assert.is(hint, 'List them: paycli customers list')
})

test('names the command that shows a payment whose id was given as one of a session', () => {
  const message = "No such payment_session: 'py_4bT9'."
  const error = createApiError(404, 'invalid_request_error', { code: 'resource_missing', message })
  const { hint } = createErrorReport(error, { command: 'paycli payment-sessions complete' })
  assert.is(hint, 'py_4bT9 is a payment. See its session: paycli payments retrieve py_4bT9')
})

test('reports a full disk as such and not as a bug', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const { code, message, hint } = createErrorReport(full, { command: 'paycli state save' })
  assert.equal([code, message], ['disk_full', 'ENOSPC: no space left on device, write'])
  assert.match(hint ?? '', /^Free disk space/)
  assert.is(exitCodeOf(full), 1)
})

test.run()
