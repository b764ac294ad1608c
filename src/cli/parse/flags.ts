import type { FlagInput } from '@oclif/core/interfaces'
import { isNullable, type ObjectSchema, type Schema } from '../../domain/core/schema.ts'
import { isTimestampField } from '../../domain/text/field-names.ts'
import { boolean, repeatable, string } from './flag-builders.ts'
import {
  getParamFlagKind,
  isTimeOrNowParam,
  listParamsWithFlags,
  RANGE_BOUNDS,
  toDashedName,
} from './param-kinds.ts'

const TIMESTAMP_VALUE = '<unix|iso date>'
const TIME_OR_NOW_VALUE = '<unix|iso date|now>'

/**
 * Returns the flags for the parameters of an operation, described by the schema. `omit` lists parameters without a
 * flag. `optional` lists required parameters that the command itself can set. List operations also have `--all`.
 */
export function createParamFlags(
  schema: ObjectSchema<unknown>,
  {
    omit = [],
    optional = [],
  }: { readonly omit?: readonly string[]; readonly optional?: readonly string[] } = {},
): FlagInput {
  const flags = Object.fromEntries(
    listParamsWithFlags(schema, omit).flatMap(([name, param]) => {
      const isRequired = schema.required?.includes(name) && !optional.includes(name)
      const description = `${isRequired ? '(required) ' : ''}${param.description ?? ''}`
      return Object.entries(flagsOfParam(name, { ...param, description }))
    }),
  )
  if (!('starting_after' in schema.properties)) return flags
  return {
    ...flags,
    all: boolean({ description: 'Read all pages of the list.', exclusive: ['ending-before'] }),
  }
}

function flagsOfParam(name: string, schema: Schema<unknown>): FlagInput {
  const flag = toDashedName(name)
  const description = schema.description + (isNullable(schema) ? ' An empty value unsets it.' : '')
  switch (getParamFlagKind(name, schema)) {
    case 'boolean':
      return { [flag]: boolean({ description, allowNo: true }) }
    case 'integer':
      return { [flag]: string({ description, helpValue: '<integer>' }) }
    case 'percent':
      return { [flag]: string({ description, helpValue: '<percent>' }) }
    case 'timestamp':
      return {
        [flag]: string({
          description,
          helpValue: isTimeOrNowParam(schema) ? TIME_OR_NOW_VALUE : TIMESTAMP_VALUE,
        }),
      }
    case 'metadata':
      return {
        [flag]: repeatable({ description: `${description} Repeat for more keys.`, helpValue: '<key=value>' }),
      }
    case 'list':
      return { [flag]: repeatable({ description, ...optionsOf(schema.items ?? {}), delimiter: ',' }) }
    case 'range':
      return rangeFlags(name, flag)
    case 'text':
      return { [flag]: string({ description, ...optionsOf(schema) }) }
  }
}

function optionsOf(schema: Schema<unknown>): { readonly options?: string[] } {
  return schema.enum === undefined ? {} : { options: schema.enum.map(String) }
}

function rangeFlags(name: string, flag: string): FlagInput {
  const words = isTimestampField(name)
    ? { gt: 'after', gte: 'at or after', lt: 'before', lte: 'at or before' }
    : { gt: 'greater than', gte: 'at least', lt: 'less than', lte: 'at most' }
  const helpValue = isTimestampField(name) ? TIMESTAMP_VALUE : '<integer>'
  const bounds = RANGE_BOUNDS.map((bound) => [
    `${flag}-${bound}`,
    string({
      description: `Only objects with ${name} ${words[bound]} this value.`,
      helpValue,
      helpGroup: 'RANGE',
    }),
  ])
  return Object.fromEntries(bounds)
}
