// Processes of the test runner. A file runs alone in its own process, or after other files in a shared one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { END_OF_FILE } from './run-files.mjs'

const OUTPUT_LIMIT_BYTES = 16 * 1024 * 1024
const RUN_FILES = join(import.meta.dirname, 'run-files.mjs')
const SUMMARY = /^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)\n {2}Duration: /gm
const running = new Set()

/** Kills the processes of all files that run now. */
export function killAll() {
  for (const pid of running) killGroup(pid)
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process group has already ended.
  }
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`
}

/** Returns the counts of the last uvu summary, or undefined. */
function summaryOf(stdout) {
  const last = [...stripVTControlCharacters(stdout).matchAll(SUMMARY)].at(-1)
  return last && { total: Number(last[1]), passed: Number(last[2]), skipped: Number(last[3]) }
}

/** Returns the reason for which a file failed, or '' when it passed. */
function reasonOf(end, summary) {
  if (end.error) return end.error
  if (end.killed) return end.killed
  if (end.signal) return `killed by ${end.signal}`
  if (!summary)
    return `exit code ${end.code} without a summary of uvu${end.code ? '' : ': is .run() missing?'}`
  if (summary.total === 0) return 'ran no test'
  if (end.code !== 0) return `exit code ${end.code}`
  if (summary.passed !== summary.total) return 'a test ended without a result: a hook threw, or a non-Error'
  return ''
}

/** Returns the counts of a file, its output, and the reason when it failed. */
function resultOf(end) {
  const summary = summaryOf(end.stdout)
  const { total, passed, skipped } = summary ?? { total: 0, passed: 0, skipped: 0 }
  const reason = reasonOf(end, summary)
  return { passed, failed: reason ? Math.max(1, total - passed) : 0, skipped, reason, output: end.output }
}

/**
 * Starts Node.js and collects its output. Kills the process group when the output is too long, and after the process has
 * ended: processes that a test left behind keep the pipes open.
 */
function start(args, { cwd, env, stdio, timeoutMs, lingerMs }) {
  const child = spawn(process.execPath, args, { cwd, detached: true, env, stdio })
  const end = { stdout: '', output: '', killed: '', code: null, signal: null, error: '' }
  let timer
  const kill = (why) => {
    end.killed ||= why
    if (child.pid) killGroup(child.pid)
  }
  const keep = (text) => {
    end.output += text
    if (end.output.length > OUTPUT_LIMIT_BYTES) kill(`printed more than ${OUTPUT_LIMIT_BYTES} bytes`)
  }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    end.stdout += text
    keep(text)
    if (!text.includes('Duration: ') || !summaryOf(end.stdout)) return
    clearTimeout(timer)
    const open = 'a timer, socket or process is still open'
    timer = setTimeout(kill, lingerMs, `tests done, no end after ${seconds(lingerMs)}: ${open}`)
  })
  child.stderr.setEncoding('utf8').on('data', keep)
  if (child.pid) running.add(child.pid)
  const ended = new Promise((resolve) => {
    child.on('error', (error) => {
      end.error = error.message
      resolve()
    })
    child.on('exit', () => killGroup(child.pid))
    child.on('close', (code, signal) => {
      running.delete(child.pid)
      Object.assign(end, { code, signal })
      resolve()
    })
  })
  /** Kills the process when `finished` does not settle in time, and resolves with its end. */
  async function within(finished) {
    timer = setTimeout(kill, timeoutMs, `no end after ${seconds(timeoutMs)}`)
    await Promise.race([finished, ended])
    clearTimeout(timer)
    return end
  }
  return { child, end, kill, ended, within }
}

/** Runs one file in its own process and resolves with its result after the process group has ended. */
export async function runAlone(file, settings) {
  const { ended, within } = start([file], { ...settings, stdio: ['ignore', 'pipe', 'pipe'] })
  return resultOf(await within(ended))
}

/** Starts a process that runs files in turn. */
function openSharedProcess(settings) {
  const stdio = ['ignore', 'pipe', 'pipe', 'ipc']
  const { child, end, kill, ended, within } = start([RUN_FILES], { ...settings, stdio })
  // When the process has ended, sending fails too, and `ended` has the reason.
  const send = (message) => child.send(message, () => {})
  const exitCode = () => {
    const code = END_OF_FILE.exec(end.stdout)?.[1]
    return code === undefined ? null : Number(code)
  }
  async function endOfFile() {
    while (exitCode() === null) await once(child.stdout, 'data')
  }
  return {
    /** Runs a file and resolves with its result. */
    async run(file, env) {
      Object.assign(end, { stdout: '', output: '' })
      send({ file, env })
      await within(endOfFile())
      return resultOf({ ...end, code: exitCode() ?? end.code })
    },
    /** Kills the process. */
    async abort() {
      kill('stopped')
      await ended
    },
    /** Ends the process. Resolves with '', or with the reason when it does not end cleanly. */
    async close() {
      send({ file: null })
      const { error, killed, code, signal } = await within(ended)
      return error || killed || (code === 0 ? '' : `exit code ${code ?? signal}`)
    },
  }
}

/**
 * Runs files in one process until the store changes or a file fails. Calls `onBroken` with the reason when a process does not end
 * cleanly after its files.
 */
export function createFileRunner(onBroken) {
  let shared = null
  let backend = ''

  async function close() {
    const reason = await shared?.close()
    shared = null
    if (reason) onBroken(reason)
  }

  return {
    async run(file, settings) {
      const { PAYCLI_TEST_STORE } = settings.env
      if (backend !== PAYCLI_TEST_STORE) await close()
      backend = PAYCLI_TEST_STORE
      shared ??= openSharedProcess(settings)
      const result = await shared.run(file, settings.env)
      if (result.reason) {
        await shared.abort()
        shared = null
      }
      return result
    },
    close,
  }
}

/** Returns a result without a passed test. */
export function failure(reason) {
  return { passed: 0, failed: 1, skipped: 0, reason, output: '' }
}
