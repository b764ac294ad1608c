import { type Client, createClient } from '../../client/client.ts'
import { handleCommand } from '../command/command-handlers.ts'
import { isTerminal, printData, printWarning, renderJson } from '../output/output.ts'
import type { PrintErrorOptions } from '../output/print-error.ts'
import type { CommandLine } from '../parse/command-line.ts'
import { type FlagValues, textsOf } from '../parse/params.ts'
import { type FlaggedOperation, toCommandInput } from '../request/call.ts'
import { readConfig } from '../service/config.ts'

/** Runs a single-call command as its class would, but without loading the class and the API operations. */
export async function runManifestCall(
  operation: FlaggedOperation,
  line: CommandLine,
  options: PrintErrorOptions,
): Promise<void> {
  const { flags } = line
  try {
    const input = toCommandInput(line)
    await validateFields(flags)
    const client = await createClientFor(flags)
    const print = (response: object, note?: () => string | null) => printResult(response, flags, note)
    await handleCommand(options.id, { operation, input, client, print })
  } catch (error) {
    const { printError } = await import('../output/print-error.ts')
    await printError(error, options)
  }
}

// Before the request: an invalid --field must not fail only after a change.
async function validateFields({ field }: FlagValues): Promise<void> {
  if (field === undefined) return
  const { validatePaths } = await import('../output/field-path.ts')
  validatePaths(textsOf(field))
}

// Most commands have neither flag, and need not load the dry-run client.
async function createClientFor(flags: FlagValues): Promise<Client> {
  const isPlain = flags['idempotency-key'] === undefined && flags['dry-run'] === undefined
  if (isPlain) return createClient({ ...readConfig(flags, process.env), onWarning: printWarning })
  const { connect } = await import('../request/connection.ts')
  return connect(flags)
}

// Only terminals and --field need the modules that render tables.
async function printResult(response: object, flags: FlagValues, note?: () => string | null): Promise<void> {
  if (!isTerminal() && flags['field'] === undefined) return printData(renderJson(response))
  const { printResponse } = await import('../output/render-response.ts')
  printResponse(response, flags, note)
}
