// Output of the test runner.
/** The length of the list of the slowest files. */
const SLOWEST_FILES = 20

export function print(text) {
  process.stdout.write(`${text}\n`)
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`
}

function counts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
}

/** Returns the notes that a file printed about its run, in lines that begin with `# `. */
function notes({ output }) {
  return [...output.matchAll(/^# (.+)$/gm)].map(([, note]) => `  ${note}`).join('')
}

/** Prints the result of a file, with its output when it failed. */
export function report(result) {
  const { name, failed, reason, output, ms } = result
  const end = `${reason && `  (${reason})`}${notes(result)}`
  print(`${failed ? '✗' : '✓'} ${name}  ${counts(result)}  ${seconds(ms)}${end}`)
  if (failed && output) print(`${'─'.repeat(8)} ${name}\n${output.trimEnd()}\n${'─'.repeat(8)}`)
}

/** Returns the time of each run, the slowest one first. */
export function timesOf(results) {
  return results
    .filter(({ run }) => run)
    .map(({ run: { name, backend }, ms }) => ({
      file: `test/${name}.test.ts`,
      store: backend,
      ms: Math.round(ms),
    }))
    .sort((a, b) => b.ms - a.ms)
}

function list(title, lines) {
  if (lines.length > 0) print(`\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}

function listTimes(title, times) {
  list(
    title,
    times.map(([what, ms]) => `${seconds(ms).padStart(10)}  ${what}`),
  )
}

function sumTimes(times, keyOf) {
  const groups = Object.entries(Object.groupBy(times, keyOf))
  const sums = groups.map(([key, own]) => [key, own.reduce((sum, { ms }) => sum + ms, 0)])
  return sums.sort(([, a], [, b]) => b - a)
}

function listAllTimes(times) {
  if (times.length <= SLOWEST_FILES) return
  listTimes(
    'slowest files',
    times.slice(0, SLOWEST_FILES).map(({ file, store, ms }) => [`${file} ${store}`, ms]),
  )
  listTimes(
    'time per folder',
    sumTimes(times, ({ file }) => file.split('/').slice(0, 2).join('/')),
  )
  listTimes(
    'time per store',
    sumTimes(times, ({ store }) => store),
  )
}

/** Returns the source file of a result and its store. */
function fileOf({ name }) {
  const [file, ...backend] = name.split(' ')
  return [`test/${file}.test.ts`, ...backend].join(' ')
}

/** Prints the times and the files that failed, and the totals on the last line. Returns the totals. */
export function printTotals(results) {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const result of results) {
    for (const key of Object.keys(sum)) sum[key] += result[key]
  }
  listAllTimes(timesOf(results))
  const failed = results.filter(({ failed }) => failed)
  list(
    'flaky: failed beside other files and passed when it ran again alone',
    failed.filter(({ isFlaky }) => isFlaky).map(fileOf),
  )
  list('failing', failed.filter(({ isFlaky }) => !isFlaky).map(fileOf))
  const totals = results.length === 0 ? { ...sum, failed: 1 } : sum
  print(`\n${counts(totals)}`)
  return totals
}
