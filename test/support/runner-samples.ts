// Test files for the tests of the test runner.
/** The start of a test file that uses uvu. */
export const UVU = `import { test, suite } from ${JSON.stringify(import.meta.resolve('uvu'))}\n`
/** The start of a test file that uses the suites of this project. */
const SUITE = `import { suite } from ${JSON.stringify(import.meta.resolve('./suite.js'))}\n`

/** Test files that pass. */
export const GOOD: Record<string, string> = {
  good: `${UVU}test('one', () => {}); test('two', async () => {}); test.skip('three'); test.run()`,
  wrapped: `${SUITE}const test = suite('s'); test.before.each(() => {}); test('one', () => {}); test.run()`,
  environment: `${UVU}import { readdirSync } from 'node:fs'
    test('is neutral', () => {
      const { NODE_ENV, NO_COLOR, PAYCLI_HOME, PAYCLI_STRAY } = process.env
      const hour = new Date('2026-01-01T12:00:00Z').getHours()
      const seen = { NODE_ENV, NO_COLOR, PAYCLI_STRAY, hour, home: readdirSync(PAYCLI_HOME) }
      const wanted = { NODE_ENV: undefined, NO_COLOR: '1', PAYCLI_STRAY: undefined, hour: 7, home: [] }
      if (JSON.stringify(seen) !== JSON.stringify(wanted)) throw new Error(JSON.stringify(seen))
    })
    test.run()`,
  left: `${UVU}import { spawn } from 'node:child_process'
    test('leaves a process behind', () => { spawn(process.execPath, ['-e', 'setInterval(() => {}, 9)'],
      { stdio: 'inherit' }).unref() })
    test.run()`,
}

/** Each kind of broken test file, with the text that the runner must print for it. */
export const HAZARDS: Record<string, { code: string; says: RegExp }> = {
  assertion: { code: `${UVU}test('a', () => { throw new Error('no!') }); test.run()`, says: /exit code 1\b/ },
  before: {
    code: `${UVU}test.before(() => { throw new Error('x') }); test('a', () => {}); test.run()`,
    says: /0 passed, 1 failed .*a hook threw, or a non-Error/,
  },
  after: {
    code: `${UVU}test.after(() => { throw new Error('x') }); test('a', () => {}); test.run()`,
    says: /0 passed, 1 failed .*exit code 1 without a summary/,
  },
  'after-each': {
    code: `${UVU}test.after.each(() => { throw new Error('x') }); test('a', () => {}); test.run()`,
    says: /0 passed, 1 failed .*a hook threw, or a non-Error/,
  },
  'non-error': {
    code: `${UVU}test('a', () => { throw undefined }); test.run()`,
    says: /0 passed, 1 failed .*a hook threw, or a non-Error/,
  },
  'no-run': { code: `${UVU}test('a', () => {})`, says: /is \.run\(\) missing/ },
  'no-tests': { code: `${UVU}test.run()`, says: /ran no test/ },
  'only-skipped': { code: `${UVU}test.skip('a'); test.run()`, says: /1 skipped .*ran no test/ },
  'exit-zero': {
    code: `${UVU}test('a', () => process.exit(0)); test('b', () => {}); test.run()`,
    says: /0 passed, 1 failed .*without a summary/,
  },
  'exit-at-once': {
    code: `${UVU}test('a', () => {}); test.run(); process.exit(0)`,
    says: /without a summary/,
  },
  'never-settles': {
    code: `${UVU}test('a', () => new Promise(() => {})); test.run()`,
    says: /without a summary/,
  },
  rejects: {
    code: `${UVU}test('a', () => { Promise.reject(new Error('x')) }); test.run()`,
    says: /exit code 1/,
  },
  'syntax-error': { code: `${UVU}test('a', () => {`, says: /exit code 1 without a summary/ },
  'suite-names-a-pending-test': {
    code: `${SUITE}const test = suite('s'); test('waits forever', () => new Promise(() => {})); test.run()`,
    says: /'waits forever' never settles/,
  },
  'suite-names-a-slow-test': {
    code: `${SUITE}const open = setInterval(() => {}, 9); const test = suite('s', {}, 50)
      test.after(() => clearInterval(open))
      test('takes too long', () => new Promise(() => {})); test.run()`,
    says: /'takes too long' did not settle in 50 ms/,
  },
  'suite-shows-hooks': {
    code: `${SUITE}const test = suite('s'); test.before(() => { throw new Error('no port') })
      test('a', () => {}); test.run()`,
    says: /before hook of 's' failed: Error: no port/,
  },
  'suite-never-ran': {
    code: `${SUITE}const a = suite('a'); const b = suite('b'); a('x', () => {}); b('y', () => {}); a.run()`,
    says: /suite 'b' never ran/,
  },
  'suite-after-run': {
    code: `${SUITE}const test = suite('s'); test('a', () => {}); test.run(); test('late', () => {})`,
    says: /'late' comes after s\.run\(\)/,
  },
  'suite-non-error': {
    code: `${SUITE}const test = suite('s'); test('a', () => { throw 'text' }); test.run()`,
    says: /threw a value that is not an Error: text/,
  },
  'suite-details': {
    code: `${SUITE}const test = suite('s')
      test('a', () => { throw Object.assign(new Error('not open'), { details: { param: null } }) })
      test('b', () => {}); test.run()`,
    says: /1 passed, 1 failed [\s\S]*FAIL [\s\S]*not open/,
  },
}

/** Test files that never end, with the limit that ends them; other test files have more time. */
export const ENDLESS: readonly (readonly [code: string, limit: string, says: RegExp])[] = [
  [
    `${UVU}setInterval(() => {}, 9); test('a', () => new Promise(() => {})); test.run()`,
    '--timeout=500',
    /^✗ endless {2}0 passed, 1 failed .*\(no end after 0\.50 s\)$/m,
  ],
  [
    `${UVU}setInterval(() => {}, 9); test('a', () => {}); test.run()`,
    '--linger=500',
    /^✗ endless {2}1 passed, 1 failed .*\(tests done, no end after 0\.50 s: a timer, socket or process is still open\)$/m,
  ],
]
