import type { ArgInput, FlagInput } from '@oclif/core/interfaces'
import { operations } from '../api/index.ts'
import type { Method } from '../api/operation.ts'
import type { Schema } from '../api/schema.ts'
import { BaseCommand } from './base-command.ts'
import { sendPages } from './call.ts'
import { withData } from './data-flag.ts'
import { paramsFromFile } from './from-file.ts'
import { answerAt, targetOf } from './object-paths.ts'
import { word } from './options.ts'
import { textsOf } from './params.ts'

/** The commands that ask the API for whatever it has at an id or a path. */
export abstract class RawCommand extends BaseCommand {
  static override args: ArgInput = {
    target: word({
      description: 'An id such as cus_4bT9…, or a path such as /v1/customers.',
      required: true,
    }),
  }
  static override flags: FlagInput = {}

  /** Sends one request to what the command line names, and prints the answer. */
  protected async ask(method: Method): Promise<void> {
    const { words, flags } = await this.given()
    const { path, data } = targetOf(words[0] ?? '')
    const pairs = [...data, ...textsOf(flags['data'])]
    const params = withData(await paramsFromFile(flags), pairs, schemaAt(method, path))
    const client = this.client()
    const answer = await answerAt(words[0] ?? '', sendPages({ method, path }, params, { flags, client }))
    this.print(answer)
  }
}

// What the values are is known of the operations there are; others get text.
function schemaAt(method: Method, path: string): Schema<unknown> {
  const found = operations.find(
    ({ operation }) =>
      operation.method === method && new RegExp(`^${operation.path.replace(':id', '[^/]+')}$`).test(path),
  )
  return found?.operation.params ?? {}
}
