import type { JsonSchema } from '../../api/schema/json-schema.ts'
import { type Html, html } from '../markup/html.ts'
import { renderInline } from './reference-layout.ts'

/** The keywords of a schema that the reference shows. */
interface DisplayedSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly DisplayedSchema[]
  readonly items?: DisplayedSchema
  readonly properties?: Readonly<Record<string, DisplayedSchema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

/** A field or parameter in a list. */
export interface ReferenceField {
  readonly name: string
  readonly schema: JsonSchema
  readonly description?: string | undefined
  /** The location of a parameter outside the body, such as `in the query`. */
  readonly location?: string
  /** Such as `required` or `optional`. */
  readonly note?: string | undefined
}

const MAX_VALUES = 12

/** Renders fields with type, limits and description; nested fields follow their parent. */
export function renderFieldList(fields: readonly ReferenceField[]): Html {
  const rows = fields.map(({ name, schema, description, location, note }) => {
    const displayed = schema as DisplayedSchema
    const meaning = description ?? displayed.description ?? ''
    return html`<div><dt><code class="name">${name}</code> ${renderType(displayed)}${describeLimits(displayed)}${location && html`, ${location}`}${
      note && html` <b>${note}</b>`
    }</dt><dd>${renderInline(meaning)}${renderNestedFields(displayed)}</dd></div>`
  })
  return html`<dl class="fields">${rows}</dl>`
}

/** Returns the fields of an object; marks the required ones of a request, and the optional ones of a response. */
export function fieldsOf(schema: JsonSchema, isRequest: boolean): ReferenceField[] {
  const { properties = {}, required = [] } = schema as DisplayedSchema
  return Object.entries(properties).map(([name, inner]) => {
    const isRequired = required.includes(name)
    const note = isRequest && isRequired ? 'required' : !isRequest && !isRequired ? 'optional' : undefined
    return { name, schema: inner as JsonSchema, note }
  })
}

function renderNestedFields(schema: DisplayedSchema): Html | null {
  const object = schema.items ?? schema
  if (object.properties === undefined) return null
  const isRequest = (object.required ?? []).length < Object.keys(object.properties).length
  return renderFieldList(fieldsOf(object as JsonSchema, isRequest))
}

/** Renders the type of a schema, with links to named objects. */
export function renderType(schema: DisplayedSchema): Html {
  const { $ref: ref, anyOf, items } = schema
  if (ref !== undefined) return renderLink(ref)
  if (anyOf !== undefined) return join(anyOf.map(renderType), ' or ')
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum !== undefined) return html`${renderValues(schema.enum)}`
  if (items !== undefined) return html`list of ${renderType(items)}`
  return html`${[schema.type ?? 'anything'].flat().join(' or ')}`
}

function renderValues(values: readonly unknown[]): Html {
  const shown = values.slice(0, MAX_VALUES).map((value) => html`<code>${String(value)}</code>`)
  return html`${join(shown, ', ')}${values.length > MAX_VALUES ? `, and ${values.length - MAX_VALUES} more` : ''}`
}

function renderLink(ref: string): Html {
  const name = ref.split('/').at(-1) ?? ''
  return html`<a href="${hrefOf(name)}">${name}</a>`
}

function hrefOf(name: string): string {
  return name === 'error_code' ? '/docs/errors' : `#object.${name}`
}

function describeLimits({ minimum, maximum, maxLength, maxItems, type }: DisplayedSchema): string {
  if (maxItems !== undefined) return `, up to ${maxItems}`
  const isText = [type].flat().includes('string')
  if (isText && maxLength !== undefined) return `, up to ${maxLength} characters`
  if (minimum === undefined) return ''
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  return isBounded ? `, ${minimum} to ${maximum}` : `, from ${minimum}`
}

function join(parts: readonly Html[], between: string): Html {
  return html`${parts.map((part, index) => html`${index === 0 ? '' : between}${part}`)}`
}
