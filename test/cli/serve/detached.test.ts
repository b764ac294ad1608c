import { wrapLoggedError } from '../../../src/cli/serve/detached.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/detached')

test('wraps the error in the log of a server, and omits the requests of another server', () => {
  const log = `Error: Port 4100 is already in use.
12:00:00.000  200  GET    /healthz  45 ms  req_1
Hint:  Use that server, or stop it: npx paycli stop
`
  assert.is(
    wrapLoggedError(log, 40),
    `Error: Port 4100 is already in use.
Hint:  Use that server, or stop it:
       npx paycli stop
`,
  )
  assert.is(wrapLoggedError(log, Infinity), log.replace(/^12.*\n/m, ''))
})

test.run()
