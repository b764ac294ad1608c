import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { runCommand } from './run-command.ts'

/**
 * The calls of paycli in shell scripts, which run in this process: a separate process for each call takes ten times as
 * long.
 */
export interface ShellCommands {
  /** Shell code that defines `paycli` and `npx`. The commands use PAYCLI_API_BASE and PAYCLI_API_KEY of the script. */
  readonly definition: string
  /** The output of failed commands on stderr. */
  readonly errors: readonly string[]
  readonly close: () => Promise<void>
}

const BASE_HEADER = 'api-base'
const KEY_HEADER = 'api-key'

/** Opens a local server that runs the command lines of scripts with an environment. */
export async function openShellCommands(env: Readonly<Record<string, string>>): Promise<ShellCommands> {
  const errors: string[] = []
  const server = createServer(async (request, response) => {
    const words = (await text(request)).split('\0').slice(0, -1)
    const { [BASE_HEADER]: base, [KEY_HEADER]: key } = request.headers
    const connection = {
      ...(base && { PAYCLI_API_BASE: `${base}` }),
      ...(key && { PAYCLI_API_KEY: `${key}` }),
    }
    const { code, stdout, stderr } = await runCommand(words, { ...env, ...connection }).catch(errorOf)
    if (code !== 0) errors.push(stderr)
    response.writeHead(code === 0 ? 200 : 500).end(stdout)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const headers = `-H "${BASE_HEADER}: $PAYCLI_API_BASE" -H "${KEY_HEADER}: $PAYCLI_API_KEY"`
  return {
    definition: `paycli() { printf '%s\\0' "$@" | curl -sf ${headers} --data-binary @- http://127.0.0.1:${port}; }
npx() { shift; paycli "$@"; }
`,
    errors,
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

function errorOf(error: unknown) {
  return { code: 1, stdout: '', stderr: String(error) }
}
