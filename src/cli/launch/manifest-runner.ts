import { type Client, createClient } from '../../client/client.ts'
import { carryOut } from '../command/command-handlers.ts'
import { isTerminal, printData, printWarning, renderJson } from '../output/output.ts'
import type { CommandLine } from '../parse/command-line.ts'
import { type FlagValues, textsOf } from '../parse/params.ts'
import { type FlaggedOperation, givenFrom } from '../request/call.ts'
import { readConfig } from '../service/config.ts'

interface Asked {
  readonly line: CommandLine
  /** The same as it was typed, without the words of the command. */
  readonly argv: readonly string[]
  /** Such as `customers:create`. */
  readonly id: string
  /** What to look up in the help, such as `paycli customers create`. */
  readonly command: string
  /** The names of all flags it has. */
  readonly known: readonly string[]
}

/** Runs a command that makes one call, the way its class would. */
export async function runLoneCall(
  call: FlaggedOperation,
  { line, argv, id, command, known }: Asked,
): Promise<void> {
  const { flags } = line
  try {
    const given = givenFrom(line)
    await checkFields(flags)
    const client = await clientFor(flags)
    await carryOut(id, { call, given, client, print: (answer, note) => print(answer, flags, note) })
  } catch (error) {
    const { tellError } = await import('../output/failure.ts')
    await tellError(error, { command, argv, known, flags })
  }
}

// Before anything is done: what was asked for cannot be printed.
async function checkFields({ field }: FlagValues): Promise<void> {
  if (field === undefined) return
  const { requirePaths } = await import('../output/field-path.ts')
  requirePaths(textsOf(field))
}

// The flags of changes are rare, and so is what they need.
async function clientFor(flags: FlagValues): Promise<Client> {
  const isPlain = flags['idempotency-key'] === undefined && flags['dry-run'] === undefined
  if (isPlain) return createClient({ ...readConfig(flags, process.env), onWarning: printWarning })
  const { connect } = await import('../request/connection.ts')
  return connect(flags)
}

// Only people and --field need what writes tables.
async function print(answer: object, flags: FlagValues, note?: () => string | null): Promise<void> {
  if (!isTerminal() && flags['field'] === undefined) return printData(renderJson(answer))
  const { printAnswer } = await import('../output/render-response.ts')
  printAnswer(answer, flags, note)
}
