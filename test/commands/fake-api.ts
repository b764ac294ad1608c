import { type FakeServer, type Reaction, type SeenRequest, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, type suite } from '../support/suite.ts'
import type { Ended } from './paycli.ts'

/** A command line, split at spaces, and the requests that it sends. */
type Call = readonly [line: string, ...requests: string[]]

/** A fake API of a suite. */
export interface FakeApi {
  /** Runs a command with the address of the API and a key. */
  readonly run: (...args: string[]) => Promise<Ended>
  /** Returns the requests of the current test as `METHOD path body`. */
  readonly requests: () => string[]
  readonly seen: () => readonly SeenRequest[]
  readonly url: () => string
  /** Adds a test per command line: the command sends the requests and prints the last response. */
  readonly testCalls: (calls: readonly Call[]) => void
  /** Adds a test per command line: the command exits with 2, prints the error and sends no request. */
  readonly testUsageErrors: (rows: readonly (readonly [line: string, error: RegExp | string])[]) => void
}

/** Starts a fake API before the tests of a suite and stops it after them. */
export function openFakeApi(test: ReturnType<typeof suite>, react: (seen: SeenRequest) => Reaction): FakeApi {
  let server: FakeServer
  let last: Reaction
  test.before(async () => {
    server = await startFakeServer((seen) => {
      last = react(seen)
      return last
    })
  })
  test.before.each(() => {
    server.seen.length = 0
  })
  test.after(() => server?.stop())
  const run = (...args: string[]) => runCommand(args, { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k' })
  const requests = () => server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`.trimEnd())
  const testCall = ([line, ...expected]: Call) =>
    test(`paycli ${line} sends ${expected.join(', then ')}`, async () => {
      const { code, stdout, stderr } = await run(...line.split(' '))
      assert.equal([code, stderr], [0, ''])
      assert.equal(JSON.parse(stdout), Object(last).body)
      assert.equal(requests(), expected)
    })
  const testUsageError = ([line, error]: readonly [string, RegExp | string]) =>
    test(`paycli ${line} is a usage error and sends no request`, async () => {
      const { code, stdout, stderr } = await run(...line.split(' '))
      assert.match(stderr, error)
      assert.equal([code, stdout, requests()], [2, '', []])
    })
  return {
    ...{ run, requests, seen: () => server.seen, url: () => server.url },
    testCalls: (calls) => calls.forEach(testCall),
    testUsageErrors: (rows) => rows.forEach(testUsageError),
  }
}
