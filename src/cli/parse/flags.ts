import type { FlagInput } from '@oclif/core/interfaces'
import type { ObjectSchema, Schema } from '../../api/schema/schema.ts'
import { boolean, string } from './options.ts'
import { BOUNDS, flaggedParams, flagName, isNullable, kindOf } from './param-kinds.ts'
import { isMoment } from './timestamp.ts'

const MOMENT_VALUE = '<unix|iso date>'

/** `omit` leaves parameters out, `optional` names required ones that the command fills in by itself. */
export interface FlagChoice {
  readonly omit?: readonly string[]
  readonly optional?: readonly string[]
}

const allFlag: FlagInput = {
  all: boolean({
    description: 'Read the list to its end, page by page, in place of one page.',
    exclusive: ['ending-before'],
  }),
}

/** The flags of an operation's parameters, with the schema's own words as help; `--all` for lists. */
export function flagsOf(
  schema: ObjectSchema<unknown>,
  { omit = [], optional = [] }: FlagChoice = {},
): FlagInput {
  const isList = 'starting_after' in schema.properties
  const flags = Object.fromEntries(
    flaggedParams(schema, omit).flatMap(([name, param]) => {
      const isRequired = schema.required?.includes(name) && !optional.includes(name)
      const description = `${isRequired ? '(required) ' : ''}${param.description ?? ''}`
      return Object.entries(flagsOfParam(name, { ...param, description }))
    }),
  )
  return isList ? { ...flags, ...allFlag } : flags
}

function flagsOfParam(name: string, schema: Schema<unknown>): FlagInput {
  const flag = flagName(name)
  const description = schema.description + (isNullable(schema) ? ' Empty text unsets it.' : '')
  switch (kindOf(name, schema)) {
    case 'boolean':
      return { [flag]: boolean({ description, allowNo: true }) }
    case 'integer':
      return { [flag]: string({ description, helpValue: '<integer>' }) }
    case 'moment':
      return { [flag]: string({ description, helpValue: MOMENT_VALUE }) }
    case 'metadata':
      return { [flag]: repeatable(`${description} Repeat for more keys.`, '<key=value>') }
    case 'list':
      return { [flag]: listFlag(description, schema) }
    case 'range':
      return rangeFlags(name, flag)
    case 'text':
      return { [flag]: string({ description, ...optionsOf(schema) }) }
  }
}

/** A flag that may be given again and again, one value at a time. */
export function repeatable(description: string, helpValue: string): FlagInput[string] {
  return string({ description, helpValue, multiple: true, multipleNonGreedy: true })
}

function listFlag(description: string, { items = {} }: Schema<unknown>): FlagInput[string] {
  const options = optionsOf(items)
  return string({ description, ...options, multiple: true, multipleNonGreedy: true, delimiter: ',' })
}

function optionsOf(schema: Schema<unknown>): { readonly options?: string[] } {
  return schema.enum === undefined ? {} : { options: schema.enum.map(String) }
}

function rangeFlags(name: string, flag: string): FlagInput {
  const words = isMoment(name)
    ? { gt: 'after', gte: 'at or after', lt: 'before', lte: 'at or before' }
    : { gt: 'greater than', gte: 'at least', lt: 'less than', lte: 'at most' }
  const helpValue = isMoment(name) ? MOMENT_VALUE : '<integer>'
  const bounds = BOUNDS.map((bound) => [
    `${flag}-${bound}`,
    string({ description: `Only those with ${name} ${words[bound]} this.`, helpValue, helpGroup: 'RANGE' }),
  ])
  return Object.fromEntries(bounds)
}
