import type { JsonSchema } from '../../api/schema/json-schema.ts'
import { type Html, html } from '../markup/html.ts'
import { inline } from './reference-layout.ts'

/** What of a schema the reference shows. */
interface Shown {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shown[]
  readonly items?: Shown
  readonly properties?: Readonly<Record<string, Shown>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

/** One line of a list of fields. */
export interface Field {
  readonly name: string
  readonly schema: JsonSchema
  readonly description?: string | undefined
  /** Where it belongs, for what is not in a body. */
  readonly place?: string
  /** That it must be there, or may be missing. */
  readonly note?: string | undefined
}

const MAX_WORDS = 12

/** Names, types and meanings; what is inside a field stands below it. */
export function fieldList(fields: readonly Field[]): Html {
  const rows = fields.map(({ name, schema, description, place, note }) => {
    const shown = schema as Shown
    const meaning = description ?? shown.description ?? ''
    return html`<div><dt><code class="name">${name}</code> ${typeOf(shown)}${limitsOf(shown)}${place && html`, ${place}`}${
      note && html` <b>${note}</b>`
    }</dt><dd>${inline(meaning)}${inside(shown)}</dd></div>`
  })
  return html`<dl class="fields">${rows}</dl>`
}

/** The fields of an object; `isRequest` marks the ones that must be there, which in an answer all are. */
export function fieldsOf(schema: JsonSchema, isRequest: boolean): Field[] {
  const { properties = {}, required = [] } = schema as Shown
  return Object.entries(properties).map(([name, inner]) => {
    const must = required.includes(name)
    const note = isRequest && must ? 'required' : !isRequest && !must ? 'not always there' : undefined
    return { name, schema: inner as JsonSchema, note }
  })
}

function inside(schema: Shown): Html | null {
  const object = schema.items ?? schema
  if (object.properties === undefined) return null
  const isRequest = (object.required ?? []).length < Object.keys(object.properties).length
  return fieldList(fieldsOf(object as JsonSchema, isRequest))
}

/** The type of a schema in words, with links to what has a name. */
export function typeOf(schema: Shown): Html {
  const { $ref: ref, anyOf, items } = schema
  if (ref !== undefined) return nameLink(ref)
  if (anyOf !== undefined) return joined(anyOf.map(typeOf), ' or ')
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum !== undefined) return html`${words(schema.enum)}`
  if (items !== undefined) return html`list of ${typeOf(items)}`
  return html`${[schema.type ?? 'anything'].flat().join(' or ')}`
}

function words(values: readonly unknown[]): Html {
  const shown = values.slice(0, MAX_WORDS).map((value) => html`<code>${String(value)}</code>`)
  return html`${joined(shown, ', ')}${values.length > MAX_WORDS ? `, and ${values.length - MAX_WORDS} more` : ''}`
}

function nameLink(ref: string): Html {
  const name = ref.split('/').at(-1) ?? ''
  return html`<a href="${anchorOf(name)}">${name}</a>`
}

function anchorOf(name: string): string {
  return name === 'error_code' ? '/docs/errors' : `#object.${name}`
}

function limitsOf({ minimum, maximum, maxLength, maxItems, type }: Shown): string {
  if (maxItems !== undefined) return `, up to ${maxItems}`
  const isText = [type].flat().includes('string')
  if (isText && maxLength !== undefined) return `, up to ${maxLength} characters`
  if (minimum === undefined) return ''
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  return isBounded ? `, ${minimum} to ${maximum}` : `, from ${minimum}`
}

function joined(parts: readonly Html[], between: string): Html {
  return html`${parts.map((part, index) => html`${index === 0 ? '' : between}${part}`)}`
}
