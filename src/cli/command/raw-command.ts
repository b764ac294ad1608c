import type { ArgInput, FlagInput } from '@oclif/core/interfaces'
import type { Method } from '../../api/core/operation.ts'
import { operations } from '../../api/index.ts'
import type { Schema } from '../../api/schema/schema.ts'
import { withData } from '../parse/data-flag.ts'
import { paramsFromFile } from '../parse/from-file.ts'
import { word } from '../parse/options.ts'
import { textsOf } from '../parse/params.ts'
import { sendPages } from '../request/call.ts'
import { answerAt, targetOf } from '../request/object-paths.ts'
import { BaseCommand } from './base-command.ts'

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
