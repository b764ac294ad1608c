// Runs test files one after another in this process. `test/run.mjs` sends their paths; loading the program once takes less time
// than running most files.
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'

/** The line on stdout that ends a file, with its exit code. */
export const END_OF_FILE = /^-- end of file: exit code (\d+)\n/m

async function listen() {
  // uvu queues suites instead of running them at once.
  Object.assign(globalThis, { UVU_DEFER: true, UVU_QUEUE: [] })
  const { exec } = await import('uvu')
  const { env: realEnv } = process
  const folder = process.cwd()
  process.on('message', async ({ file, env }) => {
    if (file === null) return process.disconnect()
    // An open channel to the runner would keep the process alive after the last test.
    process.channel.unref()
    process.env = realEnv
    for (const name of Object.keys(realEnv)) delete realEnv[name]
    Object.assign(realEnv, env)
    process.chdir(folder)
    globalThis.UVU_QUEUE.splice(0, Infinity, [null])
    await import(pathToFileURL(file).href)
    await exec()
    process.emit('end-of-test-file')
    // Resolves when nothing keeps the process alive; until then, the runner waits and kills it in the end.
    await once(process, 'beforeExit')
    process.stdout.write(`\n-- end of file: exit code ${process.exitCode ?? 0}\n`)
    process.exitCode = 0
    process.channel.ref()
  })
}

if (process.argv[1] === import.meta.filename) await listen()
