import type { Schema } from '../api/schema.ts'
import { withData } from './data-flag.ts'
import { paramsFromFile } from './from-file.ts'
import { type FlagValues, type Params, textsOf } from './params.ts'

/** The parameters that `--from-file` and, over them, `--data` give; none without these flags. */
export async function bodyParams(flags: FlagValues, schema: Schema<unknown>): Promise<Params> {
  return withData(await paramsFromFile(flags), textsOf(flags['data']), schema)
}
